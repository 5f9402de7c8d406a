"""The namespace of the array API standard beside array-api-strict, which does what the standard says and nothing else."""

import itertools
import math

import numpy as np
import pytest

import tenon.array_api as own

strict = pytest.importorskip("array_api_strict")
strict.set_array_api_strict_flags(api_version="2024.12")

inf, nan = math.inf, math.nan
FLOATS = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, inf, -inf, nan, 3.0, -3.0, 1e-310, 1e300, math.pi, 1e-8, 88.0, -745.2]
COMPLEX = [complex(a, b) for a in (0.0, 1.0, -1.5) for b in (0.0, 1.0, -2.0)]
VALUES = {"bool": [False, True], "uint": [0, 1, 2, 3, 7, 100, 200, 255], "int": [0, 1, -1, 2, -2, 3, 7, 100, -100, 127, -128], "float": FLOATS,
          "complex": COMPLEX}
DTYPES = ("bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 complex64 complex128").split()
UNARY = ("abs acos acosh asin asinh atan atanh bitwise_invert ceil conj cos cosh exp expm1 floor imag isfinite isinf isnan log log1p log2 "
         "log10 logical_not negative positive real reciprocal round sign signbit sin sinh square sqrt tan tanh trunc").split()
BINARY = ("add atan2 bitwise_and bitwise_or bitwise_xor bitwise_left_shift bitwise_right_shift copysign divide equal floor_divide greater "
          "greater_equal hypot less less_equal logaddexp logical_and logical_or logical_xor maximum minimum multiply nextafter not_equal "
          "remainder subtract pow").split()
# Zeros whose sign the standard leaves open, and results that it does not define.
OPEN = {"logaddexp", "reciprocal complex64", "reciprocal complex128", "pow complex64", "pow complex128"}


def values(dtype):
    return VALUES[dtype.rstrip("0123456789")]


def attempt(function, *args, **kwargs):
    try:
        return function(*args, **kwargs)
    except Exception as error:
        return error


def plain(array):
    return np.atleast_1d(np.asarray(array._array if hasattr(array, "_array") else array))


def close(wanted, given, rounding=32):
    if wanted.dtype.kind == "c":
        return close(wanted.real + 0, given.real + 0, rounding) and close(wanted.imag + 0, given.imag + 0, rounding)
    if wanted.dtype.kind != "f":
        return np.array_equal(wanted, given)
    with np.errstate(all="ignore"):
        near = np.abs(wanted - given) <= rounding * np.finfo(wanted.dtype).eps * np.maximum(np.abs(wanted), 1e-30)
        same = (np.isnan(wanted) & np.isnan(given)) | ((wanted == given) | near) & (np.signbit(wanted) == np.signbit(given))
    return bool(same.all())


def compare(what, wanted, given):
    if isinstance(wanted, Exception):
        return  # it refuses more than the standard asks for
    assert not isinstance(given, Exception), f"{what}: {given!r}"
    if isinstance(wanted, (tuple, list)) and not isinstance(wanted, strict._array_object.Array):
        assert len(wanted) == len(given), what
        for one, two in zip(wanted, given):
            compare(what, one, two)
    elif hasattr(wanted, "_array"):
        one, two = plain(wanted), plain(given)
        assert (one.dtype, wanted.shape) == (two.dtype, tuple(given.shape)), what
        assert what.split(" ")[0] in OPEN or what in OPEN or close(one, two), f"{what}: {one} {two}"
    else:
        assert str(wanted).replace("array_api_strict.", "") == str(given).replace("torch.", ""), what


def both(what, function, *args):
    """The same call in both namespaces; args are (values, dtype) or functions of the namespace."""
    made = [[arg(space) if callable(arg) else space.asarray(arg[0], dtype=getattr(space, arg[1])) for arg in args] for space in (strict, own)]
    compare(what, attempt(getattr(strict, function), *made[0]), attempt(getattr(own, function), *made[1]))


@pytest.mark.parametrize("name", UNARY)
def test_functions_of_one_array(name):
    for dtype in DTYPES:
        both(f"{name} {dtype}", name, (values(dtype), dtype))


@pytest.mark.parametrize("name", BINARY)
def test_functions_of_two_arrays(name):
    for dtype in DTYPES:
        pairs = list(itertools.product(values(dtype)[:14], repeat=2))
        if "int" in dtype and name in ("floor_divide", "remainder"):
            pairs = [(a, b) for a, b in pairs if b != 0]
        if "int" in dtype and ("shift" in name or name == "pow"):
            pairs = [(a, abs(b) % 4) for a, b in pairs]
        both(f"{name} {dtype}", name, ([a for a, _ in pairs], dtype), ([b for _, b in pairs], dtype))
    for one, two in itertools.product(DTYPES, repeat=2):
        both(f"{name} {one} {two}", name, ([1], one), ([1], two))


@pytest.mark.parametrize("one, two", itertools.product(DTYPES, repeat=2))
def test_dtypes(one, two):
    for name in ("result_type", "can_cast"):
        both(f"{name} {one} {two}", name, lambda space: getattr(space, one), lambda space: getattr(space, two))
    both(f"astype {one} {two}", "astype", ([0, 1, 2, 3], one), lambda space: getattr(space, two))


REDUCTIONS = {
    name: [{}, {"keepdims": True}, {"axis": 0}, {"axis": -1}, {"axis": (0, -1)}, {"axis": ()}]
    for name in "sum prod max min mean std var all any count_nonzero".split()
} | {name: [{}, {"axis": 0}, {"axis": 1, "keepdims": True}] for name in ("argmax", "argmin")} | {
    name: [{"axis": 0, "include_initial": True}, {"axis": -1}] for name in ("cumulative_sum", "cumulative_prod")
} | {name: [{}, {"axis": 0, "descending": True}, {"stable": False}] for name in ("sort",)}


@pytest.mark.parametrize("name", REDUCTIONS)
@pytest.mark.parametrize("shape", [(3, 4), (0, 3), (2, 0), (5,), (2, 3, 2)], ids=str)
def test_reductions(name, shape):
    numbers = np.random.default_rng(1).integers(0, 5, shape)
    for dtype, options in itertools.product(DTYPES, REDUCTIONS[name]):
        arrays = [space.reshape(space.asarray([float(v) if "float" in dtype else v for v in numbers.ravel().tolist()],
                                              dtype=getattr(space, dtype)), shape)
                  if "bool" not in dtype else space.reshape(space.asarray((numbers.ravel() > 2).tolist(), dtype=space.bool), shape)
                  for space in (strict, own)]
        results = [attempt(getattr(space, name), array, **options) for space, array in zip((strict, own), arrays)]
        compare(f"{name} {dtype} {shape} {options}", *results)


EXPRESSIONS = """
X.reshape(A,(4,-1)); X.reshape(A,(24,),copy=True); X.permute_dims(A,(2,0,1)); X.matrix_transpose(A); X.expand_dims(A,axis=-1)
X.squeeze(X.reshape(A,(1,2,3,1,4)),axis=(0,-2)); X.flip(A); X.flip(A,axis=(0,2)); X.roll(A,1); X.roll(A,(1,2),axis=(0,1)); X.roll(A,-2,axis=-1)
X.concat([A,A],axis=None); X.concat([A,X.astype(A,X.int32)],axis=1); X.stack([A,A],axis=-1); X.tile(A,(2,1,1,2)); X.repeat(A,2); X.repeat(A,2,axis=1)
X.repeat(A,X.asarray([1,2,0]),axis=1); X.unstack(A,axis=1); X.moveaxis(A,(0,1),(2,0)); X.broadcast_to(X.asarray([1,2,3,4]),(2,3,4))
X.broadcast_arrays(X.asarray([[1],[2]]),X.asarray([1,2,3])); X.take(A,X.asarray([0,2]),axis=1); X.take(X.asarray([5,6,7]),X.asarray([2,0]))
X.take_along_axis(A,X.asarray([[[0,1,1,0]]]),axis=1); X.nonzero(A>20); X.where(A>5,A,X.asarray(0)); X.where(A>5,A,0)
X.searchsorted(X.asarray([1,3,5]),X.asarray([0,3,9])); X.searchsorted(X.asarray([5,1,3]),X.asarray([0,3,9]),side="right",sorter=X.asarray([1,2,0]))
X.unique_counts(X.asarray([3,1,3,2])); X.unique_inverse(X.asarray([[3,1],[3,2]])); X.unique_values(X.asarray([3,1,3])); X.diff(A,axis=0); X.diff(A,n=2,axis=1,prepend=A[:,:1,:])
X.meshgrid(X.asarray([1,2]),X.asarray([3,4,5])); X.meshgrid(X.asarray([1,2]),X.asarray([3,4,5]),indexing="ij"); X.tril(A); X.triu(A,k=1); X.eye(3,4,k=1,dtype=X.int8)
X.linspace(0,10,5,endpoint=False,dtype=X.float64); X.linspace(0,1,1,dtype=X.float64); X.arange(5); X.arange(5,0,-2); X.arange(0.0,1.0,0.25,dtype=X.float64)
X.full((2,3),5); X.full((2,),True); X.full_like(A,7); X.ones(shape=(2,),dtype=X.uint16,device=None); X.zeros(shape=2,dtype=X.float64); X.empty((0,3)).shape
X.vecdot(X.asarray([1j,2],dtype=X.complex128),X.asarray([3.,4j],dtype=X.complex128)); A[...,0]; A[-1,:,::2]; A[A>10]; A[0,1,2]; A.mT; A.ndim; A.shape
X.isdtype(X.int8,"integral"); X.isdtype(X.float32,("real floating","complex floating")); X.isdtype(X.uint8,"signed integer"); X.isdtype(X.complex64,"numeric")
X.finfo(X.float32).eps; X.finfo(X.complex64).max; X.iinfo(X.int16).min; X.iinfo(X.uint64).max; A+1; 1-A; A//2; A%3; A**2; A<<1; A&3; A|1; A^5; ~A; -A; abs(-A); A==A; A!=3; A<5
X.sum(X.asarray([1,2],dtype=X.uint8)); X.prod(X.asarray([1,2],dtype=X.int16)); X.cumulative_sum(X.asarray([1,2],dtype=X.int8)); X.result_type(X.asarray([1],dtype=X.int8),1)
X.clip(A,5,10); X.clip(A,None,3); X.clip(X.astype(A,X.float64),X.asarray(2.,dtype=X.float64)); X.argsort(X.asarray([2,1,2,1]),stable=True,descending=True); X.all(X.zeros((0,))); X.pi; X.inf
"""


@pytest.mark.parametrize("text", [part.strip() for part in EXPRESSIONS.replace("\n", ";").split(";") if part.strip()])
def test_expressions(text):
    results = [attempt(eval, text, {"X": space, "A": space.reshape(space.arange(24), (2, 3, 4))}) for space in (strict, own)]
    assert not isinstance(results[0], Exception), results[0]
    compare(text, *results)


def test_inspection():
    mine, theirs = own.__array_namespace_info__(), strict.__array_namespace_info__()
    assert mine.capabilities() == theirs.capabilities()
    for kind in (None, "bool", "signed integer", "unsigned integer", "integral", "real floating", "complex floating", "numeric", ("bool", "integral")):
        assert set(mine.dtypes(kind=kind)) == set(theirs.dtypes(kind=kind))
    assert set(mine.default_dtypes()) == set(theirs.default_dtypes())

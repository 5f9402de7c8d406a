"""The array API standard 2024.12: its names, its signatures, its promotion, its special cases; against its text and NumPy."""

import inspect
import itertools
import math
import os
import pathlib
import re
import subprocess
import sys

import numpy as np
import pytest

import tenon
from tenon import array_api as xp

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "array-api.md"
TOOL = PAGE.parents[1] / "python" / "tools" / "array_api.py"
inf, nan = math.inf, math.nan


# ---- what there is


def test_the_page_is_what_the_tool_writes():
    done = subprocess.run(
        [sys.executable, str(TOOL)],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(pathlib.Path(tenon.__file__).parent.parent)},
    )
    assert done.stdout == PAGE.read_text(), "docs/array-api.md is old: python3 python/tools/array_api.py > docs/array-api.md"


def test_the_namespace_of_a_tensor_is_the_standards():
    x = tenon.zeros(2)
    assert x.__array_namespace__() is xp and x.__array_namespace__(api_version="2024.12") is xp
    assert x.__array_namespace__(api_version="2022.12") is xp and xp.__array_api_version__ == "2024.12"
    with pytest.raises(ValueError):
        x.__array_namespace__(api_version="1999.12")


def test_info():
    info = xp.__array_namespace_info__()
    assert info.capabilities() == {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 64}
    assert info.default_device() == tenon.device("cpu") and info.devices() == [tenon.device("cpu")]
    assert info.default_dtypes() == {
        "real floating": xp.float32,
        "complex floating": xp.complex64,
        "integral": xp.int64,
        "indexing": xp.int64,
    }
    assert len(info.dtypes()) == 13 and info.dtypes(kind="bool") == {"bool": xp.bool}
    assert set(info.dtypes(kind=("integral", "complex floating"))) == {
        "int8",
        "int16",
        "int32",
        "int64",
        "uint8",
        "uint16",
        "uint32",
        "uint64",
        "complex64",
        "complex128",
    }
    assert set(info.dtypes(device=info.default_device(), kind="real floating")) == {"float32", "float64"}


@pytest.mark.parametrize(
    "name, parameters",
    [
        ("sum", "x axis dtype keepdims"),
        ("prod", "x axis dtype keepdims"),
        ("max", "x axis keepdims"),
        ("std", "x axis correction keepdims"),
        ("sort", "x axis descending stable"),
        ("argsort", "x axis descending stable"),
        ("cumulative_sum", "x axis dtype include_initial"),
        ("cumulative_prod", "x axis dtype include_initial"),
        ("linspace", "start stop num dtype device endpoint"),
        ("arange", "start stop step dtype device"),
        ("eye", "n_rows n_cols k dtype device"),
        ("asarray", "obj dtype device copy"),
        ("astype", "x dtype copy device"),
        ("clip", "x min max"),
        ("diff", "x axis n prepend append"),
        ("take", "x indices axis"),
        ("take_along_axis", "x indices axis"),
        ("searchsorted", "x1 x2 side sorter"),
        ("count_nonzero", "x axis keepdims"),
        ("squeeze", "x axis"),
        ("expand_dims", "x axis"),
        ("roll", "x shift axis"),
        ("repeat", "x repeats axis"),
        ("tile", "x repetitions"),
        ("reshape", "x shape copy"),
        ("concat", "arrays axis"),
        ("unstack", "x axis"),
        ("moveaxis", "x source destination"),
    ],
)
def test_signatures_are_the_standards(name, parameters):
    assert list(inspect.signature(getattr(xp, name)).parameters) == parameters.split()


# ---- dtypes

PROMOTION = {
    ("int8", "uint8"): "int16",
    ("int8", "uint16"): "int32",
    ("int8", "uint32"): "int64",
    ("int16", "uint8"): "int16",
    ("int16", "uint16"): "int32",
    ("int32", "uint32"): "int64",
    ("int32", "uint8"): "int32",
    ("int64", "uint32"): "int64",
    ("uint8", "uint64"): "uint64",
    ("int8", "int64"): "int64",
    ("float32", "float64"): "float64",
    ("float32", "complex64"): "complex64",
    ("float64", "complex64"): "complex128",
    ("complex64", "complex128"): "complex128",
}


def test_kinds_are_not_mixed_and_only_dtypes_have_one():
    assert not xp.can_cast(xp.int8, xp.float64) and not xp.can_cast(xp.bool, xp.int8) and xp.can_cast(xp.float32, xp.complex64)
    with pytest.raises(TypeError):
        xp.isdtype(5, "bool")


@pytest.mark.parametrize("pair", PROMOTION)
def test_dtypes_promote_whatever_the_dimensions(pair):
    wanted = getattr(xp, PROMOTION[pair])
    for first, second in itertools.permutations([getattr(xp, name) for name in pair]):
        assert xp.result_type(first, second) is wanted and xp.can_cast(first, wanted) and not xp.can_cast(wanted, xp.bool)
        for one, two in itertools.product([(), (2,)], repeat=2):
            x, y = xp.ones(one, dtype=first), xp.ones(two, dtype=second)
            assert xp.result_type(x, y) is xp.add(x, y).dtype is xp.where(x == y, x, y).dtype is wanted
    assert xp.result_type(xp.int8, 3) is xp.int8 and xp.result_type(xp.float32, 3) is xp.float32
    assert (
        xp.result_type(xp.ones((), dtype=xp.float32), 1.5) is xp.float32 and xp.result_type(xp.complex64, 1.5) is xp.complex64
    )
    with pytest.raises(ValueError):
        xp.result_type(1, 2)


def test_kinds_of_dtypes():
    assert (
        xp.isdtype(xp.int8, "signed integer")
        and xp.isdtype(xp.uint8, "integral")
        and not xp.isdtype(xp.int8, "unsigned integer")
    )
    assert (
        xp.isdtype(xp.bool, ("real floating", "bool")) and not xp.isdtype(xp.bool, "numeric") and xp.isdtype(xp.int8, xp.int8)
    )
    with pytest.raises(ValueError):
        xp.isdtype(xp.int8, "whole")


def test_limits():
    f, i = xp.finfo(xp.float64), xp.iinfo(xp.uint64)
    assert (f.bits, f.eps, f.max, f.smallest_normal, f.dtype) == (
        64,
        2.0**-52,
        sys.float_info.max,
        sys.float_info.min,
        xp.float64,
    )
    assert (i.bits, i.min, i.max, i.dtype) == (64, 0, 2**64 - 1, xp.uint64)
    assert (
        xp.finfo(xp.complex64).dtype is xp.float32
        and xp.finfo(xp.ones(1)).bits == 32
        and xp.iinfo(xp.ones(1, dtype=xp.int8)).max == 127
    )


def test_astype():
    x = xp.asarray([1.5, -2.5])
    assert xp.astype(x, xp.int32).tolist() == [1, -2] and xp.astype(x, xp.float32).data_ptr() != x.data_ptr()
    assert xp.astype(x, xp.float32, copy=False) is x and xp.astype(x, xp.bool).tolist() == [True, True]
    assert xp.astype(x, xp.complex64, device=x.device).tolist() == [1.5, -2.5]
    with pytest.raises(TypeError):
        xp.astype(xp.asarray([1j]), xp.float32)


# ---- numbers, operators, rounding

SAME_DTYPE = (
    "add subtract multiply floor_divide remainder bitwise_and bitwise_or bitwise_xor bitwise_left_shift maximum minimum"
)


def test_numbers_of_python_beside_arrays():
    x = xp.asarray([1, 2, 3], dtype=xp.int8)
    for name in SAME_DTYPE.split():
        function = getattr(xp, name)
        assert function(x, 2).dtype is function(2, x).dtype is xp.int8, name
        assert function(2, x).tolist() == function(xp.full((3,), 2, dtype=xp.int8), x).tolist(), name
        with pytest.raises(TypeError):
            function(1, 2)
    assert xp.equal(x, 2).tolist() == xp.equal(2, x).tolist() == [False, True, False]
    assert xp.logical_or(x > 1, False).tolist() == [False, True, True] and xp.pow(2, x).tolist() == [2, 4, 8]
    assert xp.where(x > 1, x, 0).tolist() == [0, 2, 3] and xp.where(x > 1, x, 0).dtype is xp.int8


def test_operators_and_their_reflections():
    import operator as o

    x, y = xp.asarray([5, 7], dtype=xp.int32), xp.asarray([2, 3], dtype=xp.int32)
    for f in (
        o.add,
        o.sub,
        o.mul,
        o.floordiv,
        o.mod,
        o.pow,
        o.and_,
        o.or_,
        o.xor,
        o.lshift,
        o.rshift,
        o.lt,
        o.le,
        o.eq,
        o.ne,
        o.gt,
        o.ge,
    ):
        a, b = np.asarray([5, 7], dtype=np.int32), np.asarray([2, 3], dtype=np.int32)
        assert (
            f(x, y).tolist() == f(a, b).tolist()
            and f(x, 2).tolist() == f(a, 2).tolist()
            and f(2, y).tolist() == f(2, b).tolist()
        )
        assert f in (o.lt, o.le, o.eq, o.ne, o.gt, o.ge) or f(x, 2).dtype is xp.int32
    for f in (o.iadd, o.isub, o.imul, o.ifloordiv, o.imod, o.ipow, o.iand, o.ior, o.ixor, o.ilshift, o.irshift):
        z = x.clone()
        before = z.data_ptr()
        z = f(z, 2)
        assert z.data_ptr() == before and z.dtype is xp.int32
    assert (-x).tolist() == [-5, -7] and (+x).tolist() == [5, 7] and abs(-x).tolist() == [5, 7] and (~x).tolist() == [-6, -8]
    assert (x / y).dtype is xp.float32
    zero = xp.asarray(3)
    assert complex(zero) == 3 and float(zero) == 3.0 and int(zero) == 3 and [0, 1, 2, 9][zero] == 9 and bool(zero)
    assert xp.reshape(x, (1, 2)).mT.shape == (2, 1)
    assert x.device == tenon.device("cpu") and x.to_device(x.device).tolist() == [5, 7]


def test_integers_are_rounded_to_themselves_and_complex_by_parts():
    x = xp.asarray([1, -2], dtype=xp.int16)
    assert all(getattr(xp, name)(x).dtype is xp.int16 for name in ("ceil", "floor", "round", "trunc", "sign", "abs", "square"))
    z = xp.asarray([1.5 + 2.5j, -3j])
    assert xp.round(z).tolist() == [2 + 2j, -3j] and xp.sign(z)[1].item() == -1j and xp.conj(z).tolist() == [1.5 - 2.5j, 3j]
    assert xp.real(z).tolist() == [1.5, 0] and xp.imag(z).tolist() == [2.5, -3] and xp.abs(z)[1].item() == 3.0


def test_clip():
    x = xp.asarray([-3, 0, 9], dtype=xp.int8)
    assert xp.clip(x, -1, 5).tolist() == [-1, 0, 5] and xp.clip(x, max=xp.asarray([1, -1, 3], dtype=xp.int8)).tolist() == [
        -3,
        -1,
        3,
    ]
    assert xp.clip(x, -1, 5).dtype is xp.int8 and xp.clip(x).tolist() == [-3, 0, 9]
    assert xp.clip(xp.asarray(5), xp.asarray([[1], [7]]), 6).tolist() == [[5], [6]]
    assert math.isnan(xp.clip(xp.asarray(nan), 0.0, 1.0).item())


# ---- creation


def test_creation():
    assert xp.arange(5, 0).shape == (0,) and xp.arange(1, 6, 2).tolist() == [1, 3, 5] and xp.arange(3).dtype is xp.int64
    assert xp.arange(0, stop=2, step=0.5).tolist() == [0, 0.5, 1, 1.5] and xp.arange(5, 0, -2).tolist() == [5, 3, 1]
    assert xp.arange(0.0, -1.0).dtype is xp.float32
    assert xp.linspace(0, 1, 4, endpoint=False).tolist() == [0, 0.25, 0.5, 0.75] and xp.linspace(0, 1, num=0).shape == (0,)
    assert xp.linspace(1, 3, 3, dtype=xp.float64).tolist() == [1, 2, 3] and xp.linspace(0, 1j, 2).dtype is xp.complex64
    for rows, columns, k in itertools.product([0, 2, 3], [None, 0, 4], range(-4, 5)):
        assert xp.eye(rows, columns, k=k).tolist() == np.eye(rows, columns, k=k).tolist()
    assert xp.full((2,), True).dtype is xp.bool and xp.full(2, 1j).dtype is xp.complex64 and xp.full((), 3).dtype is xp.int64
    x = xp.asarray([[1, 2], [3, 4]])
    assert xp.tril(x, k=-1).tolist() == [[0, 0], [3, 0]] and xp.triu(x, k=1).tolist() == [[0, 2], [0, 0]]
    assert [g.tolist() for g in xp.meshgrid(xp.arange(2), xp.arange(3))] == [
        g.tolist() for g in np.meshgrid(range(2), range(3))
    ]
    assert xp.zeros_like(x, dtype=xp.float64, device=x.device).dtype is xp.float64 and xp.ones(()).item() == 1
    assert xp.empty((2, 3), dtype=xp.int8, device="cpu").shape == (2, 3) and xp.full_like(x, 7).tolist() == [[7, 7], [7, 7]]


def test_asarray_copies_when_told():
    x = xp.asarray([1, 2])
    assert xp.asarray(x) is x or xp.asarray(x).data_ptr() == x.data_ptr()
    assert xp.asarray(x, copy=True).data_ptr() != x.data_ptr() == xp.asarray(x, copy=False).data_ptr()
    assert xp.asarray(x, dtype=xp.float32).dtype is xp.float32 and xp.asarray(1j).dtype is xp.complex64
    assert xp.asarray([True]).dtype is xp.bool and xp.asarray(2**63, dtype=xp.uint64).item() == 2**63
    with pytest.raises(ValueError):
        xp.asarray([1, 2], copy=False)
    y = xp.from_dlpack(np.arange(3), device=x.device, copy=True)
    assert y.tolist() == [0, 1, 2]


# ---- manipulation, searching, sets


def test_manipulation():
    x = xp.asarray([[1, 2, 3], [4, 5, 6]])
    a = np.asarray(x)
    assert xp.flip(x).tolist() == np.flip(a).tolist() and xp.flip(x, axis=-1).tolist() == np.flip(a, -1).tolist()
    assert (
        xp.roll(x, 1).tolist() == np.roll(a, 1).tolist()
        and xp.roll(x, (1, -1), axis=(0, 1)).tolist() == np.roll(a, (1, -1), (0, 1)).tolist()
    )
    assert (
        xp.repeat(x, 2).tolist() == np.repeat(a, 2).tolist()
        and xp.repeat(x, xp.asarray([2, 1]), axis=0).tolist() == np.repeat(a, [2, 1], 0).tolist()
    )
    assert (
        xp.tile(x, (2, 1, 2)).tolist() == np.tile(a, (2, 1, 2)).tolist() and xp.permute_dims(x, (1, 0)).tolist() == a.T.tolist()
    )
    assert xp.moveaxis(x, 0, -1).tolist() == a.T.tolist() and xp.matrix_transpose(x).tolist() == a.T.tolist() == x.mT.tolist()
    for axis in range(-3, 3):  # those of the result
        assert xp.expand_dims(x, axis=axis).shape == tuple(np.expand_dims(np.zeros((2, 3)), axis).shape)
    assert xp.expand_dims(x).shape == (1, 2, 3)
    assert xp.expand_dims(x, axis=-1).shape == (2, 3, 1) and xp.squeeze(xp.expand_dims(x, axis=1), 1).shape == (2, 3)
    assert xp.concat([x, xp.astype(x, xp.float32)], axis=None).dtype is xp.float32 and xp.concat([x, x], axis=1).shape == (2, 6)
    assert xp.stack([x, x], axis=-1).shape == (2, 3, 2) and [r.tolist() for r in xp.unstack(x, axis=1)] == a.T.tolist()
    assert xp.reshape(x, (3, -1)).data_ptr() == x.data_ptr() != xp.reshape(x, (6,), copy=True).data_ptr()
    assert [y.shape for y in xp.broadcast_arrays(x, xp.asarray(1))] == [(2, 3), (2, 3)] and xp.broadcast_to(
        x, (2, 2, 3)
    ).shape == (2, 2, 3)
    for wrong, error in (
        (lambda: xp.squeeze(x, 0), ValueError),
        (lambda: xp.expand_dims(x, axis=4), IndexError),
        (lambda: xp.expand_dims(x, axis=-4), IndexError),
        (lambda: xp.expand_dims(x, axis=None), TypeError),
        (lambda: xp.expand_dims(x, axis=1.0), TypeError),
        (lambda: xp.expand_dims(x, 0), TypeError),
        (lambda: xp.reshape(x.mT, (6,), copy=False), ValueError),
        (lambda: xp.flip(x, axis=2), IndexError),
    ):
        with pytest.raises(error):
            wrong()


def test_searching_and_sorting():
    x = xp.asarray([[3, 1, 2], [1, 1, 0]])
    assert xp.sort(x, axis=0).tolist() == [[1, 1, 0], [3, 1, 2]] and xp.sort(x, descending=True).tolist() == [
        [3, 2, 1],
        [1, 1, 0],
    ]
    assert xp.argsort(x).tolist() == [[1, 2, 0], [2, 0, 1]] and xp.argsort(x, descending=True).tolist() == [
        [0, 2, 1],
        [0, 1, 2],
    ]
    assert xp.argmax(x).item() == 0 and xp.argmin(x, axis=1, keepdims=True).tolist() == [[1], [2]]
    assert [i.tolist() for i in xp.nonzero(x)] == [[0, 0, 0, 1, 1], [0, 1, 2, 0, 1]]
    assert xp.searchsorted(xp.asarray([1, 3, 5]), xp.asarray([3, 6]), side="right").tolist() == [2, 3]
    assert xp.searchsorted(xp.asarray([5, 1, 3]), xp.asarray([3]), sorter=xp.asarray([1, 2, 0])).tolist() == [1]
    assert xp.take(x, xp.asarray([2, 0]), axis=1).tolist() == [[2, 3], [0, 1]] and xp.take(
        xp.arange(4), xp.asarray([3])
    ).tolist() == [3]
    assert xp.take_along_axis(x, xp.argsort(x)).tolist() == xp.sort(x).tolist()
    assert xp.count_nonzero(x, axis=1, keepdims=True).tolist() == [[3], [2]] and xp.count_nonzero(x).item() == 5
    with pytest.raises(ValueError):
        xp.nonzero(xp.asarray(1))


def test_sets():
    x = xp.asarray([[3, 1], [3, 2]])
    everything = xp.unique_all(x)
    assert [part.tolist() for part in everything] == [[1, 2, 3], [1, 3, 0], [[2, 0], [2, 1]], [1, 1, 2]]
    assert everything._fields == ("values", "indices", "inverse_indices", "counts")
    assert xp.unique_counts(x).counts.tolist() == [1, 1, 2] and xp.unique_inverse(x).inverse_indices.shape == x.shape
    assert xp.unique_values(x).tolist() == [1, 2, 3]
    counts = xp.unique_counts(xp.asarray([nan, nan, 0.0, -0.0]))
    assert counts.counts.tolist() == [2, 1, 1] and sum(math.isnan(v) for v in counts.values.tolist()) == 2


# ---- statistics


@pytest.mark.parametrize("axis", [None, 0, -1, (0, 2), (0, 1, 2), ()])
@pytest.mark.parametrize("keepdims", [False, True])
def test_statistics_are_numpys(axis, keepdims):
    a = np.random.default_rng(1).standard_normal((2, 3, 4))
    x = xp.asarray(a)
    for name in "sum prod max min mean var std".split():
        got, wanted = getattr(xp, name)(x, axis=axis, keepdims=keepdims), getattr(np, name)(a, axis=axis, keepdims=keepdims)
        assert got.shape == wanted.shape and np.allclose(np.asarray(got), wanted), name
    for name in "all any count_nonzero".split():
        got, wanted = getattr(xp, name)(x > 0, axis=axis, keepdims=keepdims), getattr(np, name)(
            a > 0, axis=axis, keepdims=keepdims
        )
        assert got.shape == np.shape(wanted) and np.array_equal(np.asarray(got), wanted), name
    if axis != ():
        assert np.allclose(np.asarray(xp.var(x, axis=axis, correction=1)), np.var(a, axis=axis, ddof=1))


def test_sums_are_wide_and_any_is_a_bool():
    for name, wide in dict(
        bool="int64", int8="int64", int64="int64", uint8="uint64", uint64="uint64", float32="float32", complex64="complex64"
    ).items():
        x = xp.ones((3,), dtype=getattr(xp, name))
        for function in (xp.sum, xp.prod, xp.cumulative_sum, xp.cumulative_prod):
            assert function(x).dtype is getattr(xp, wide), (name, function)
        assert xp.sum(x, dtype=xp.float64).dtype is xp.float64
        assert xp.any(x).dtype is xp.all(x).dtype is xp.bool


def test_cumulative():
    x = xp.asarray([[1, 2], [3, 4]])
    assert xp.cumulative_sum(x, axis=1, include_initial=True).tolist() == [[0, 1, 3], [0, 3, 7]]
    assert xp.cumulative_prod(x, axis=0, include_initial=True).tolist() == [[1, 1], [1, 2], [3, 8]]
    assert xp.cumulative_sum(xp.asarray([1, 2])).tolist() == [1, 3]
    with pytest.raises(ValueError):
        xp.cumulative_sum(x)
    assert xp.diff(x, axis=0).tolist() == [[2, 2]] and xp.diff(x, prepend=xp.asarray([[0], [0]])).tolist() == [[1, 1], [3, 1]]


def test_products():
    x, z = xp.asarray([[1, 2, 3], [4, 5, 6]]), xp.asarray([1j, 2 + 1j])
    assert xp.vecdot(x, x).tolist() == [14, 77] and xp.vecdot(z, z).item() == 6
    assert xp.linalg.cross(x, xp.flip(x, axis=0)).tolist() == np.cross([[1, 2, 3], [4, 5, 6]], [[4, 5, 6], [1, 2, 3]]).tolist()
    assert xp.linalg.diagonal(x, offset=1).tolist() == [2, 6] and xp.linalg.trace(x).item() == 6
    assert xp.linalg.outer(z, z).shape == (2, 2) and xp.linalg.vector_norm(xp.asarray([3.0, 4.0])).item() == 5


def test_numpys_words_are_understood_by_pytorchs_functions():
    x = tenon.arange(6.0).reshape(2, 3)
    assert tenon.sum(x, axis=1, keepdims=True).shape == x.mean(axis=0, keepdims=True).mT.shape[::-1][:0] + (2, 1)
    assert tenon.argmax(x, axis=0, keepdims=True).shape == (1, 3) and tenon.squeeze(x[None], axis=0).shape == (2, 3)
    assert tenon.concat([x, x], axis=1).shape == (2, 6) and tenon.stack([x, x], axis=2).shape == (2, 3, 2)
    assert tenon.cumsum(x, axis=0).tolist() == tenon.cumulative_sum(x, axis=0).tolist() and tenon.tril(x, k=0).shape == (2, 3)
    assert tenon.astype(x, tenon.int8).dtype is tenon.int8 and tenon.permute_dims(x, (1, 0)).shape == (3, 2)
    assert tenon.__array_api_version__ == "2024.12" and tenon.isdtype(tenon.int8, "integral")
    assert re.match("module 'tenon' has no attribute", str(pytest.raises(AttributeError, lambda: tenon.nothing).value))


@pytest.mark.parametrize("name, value", [("zeros", {}), ("ones", {}), ("empty", {}), ("full", {"fill_value": 3})])
def test_makers_take_the_arguments_of_the_standard(name, value):
    make, like = getattr(xp, name), getattr(xp, f"{name}_like")
    x = xp.ones((2, 3), dtype=xp.int16)
    for device in (None, "cpu", x.device):
        made = make(shape=(2, 3), dtype=xp.int8, device=device, **value)
        assert made.shape == (2, 3) and made.dtype is xp.int8
        assert like(x, device=device, **value).dtype is xp.int16 and like(x, dtype=xp.float64, device=device, **value).shape == (2, 3)
    assert make(2, **value).shape == (2,) and make((), **value).shape == () and make([2, 3], **value).shape == (2, 3)
    for function, first in ((make, (2,)), (like, x)):
        with pytest.raises(RuntimeError):
            function(first, device="cuda", **value)
    with pytest.raises(TypeError):
        make(size=(2,), **value)

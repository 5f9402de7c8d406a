"""Operators against NumPy, on shapes, strides and values that hypothesis draws; the same ones in every run."""

import math

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from hypothesis.extra import numpy as arrays

import tenon

FLOATS = st.floats(-100, 100, width=32)
ANY = st.one_of(FLOATS, st.sampled_from([math.nan, math.inf, -math.inf, 0.0, -0.0]))
SMALL = st.integers(-9, 9)
SHAPES = arrays.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=5)


def strided(data, array):
    """The same elements as a tensor, perhaps transposed, with gaps, or backwards."""
    how = data.draw(st.sampled_from(["plain", "transposed", "gaps", "backwards"]))
    if how == "transposed":
        return (
            tenon.from_numpy(np.ascontiguousarray(array.T)).permute(*range(array.ndim - 1, -1, -1))
            if array.ndim
            else tenon.tensor(array)
        )
    if how == "gaps" and array.ndim:
        room = np.zeros(array.shape[:-1] + (2 * array.shape[-1],), array.dtype)
        room[..., ::2] = array
        return tenon.from_numpy(room)[..., ::2]
    if how == "backwards" and array.ndim:
        return tenon.from_numpy(np.ascontiguousarray(array[::-1])).flip(0)
    return tenon.tensor(array)


def draw(data, elements=FLOATS, dtype="f8", shape=SHAPES):
    array = data.draw(arrays.arrays(dtype, shape, elements=elements))
    return strided(data, array), array


def same(x, a, rtol=1e-12, atol=1e-12):
    got = np.asarray(x)
    assert got.shape == np.shape(a) and got.dtype == np.asarray(a).dtype, (
        got.shape,
        np.shape(a),
        got.dtype,
        np.asarray(a).dtype,
    )
    np.testing.assert_allclose(got, a, rtol=rtol, atol=atol)


UNARY = {
    name: name
    for name in "abs ceil cos cosh exp exp2 expm1 floor isfinite isinf isnan logical_not neg rad2deg signbit "
    "sin sinh sqrt square tan tanh trunc log log2 log10 log1p deg2rad reciprocal".split()
}
UNARY.update(
    neg="negative", asin="arcsin", acos="arccos", atan="arctan", asinh="arcsinh", acosh="arccosh", atanh="arctanh", round="rint"
)


@pytest.mark.parametrize("name", UNARY)
@settings(max_examples=20)
@given(st.data())
def test_functions_of_one_tensor(name, data):
    with np.errstate(all="ignore"):
        x, a = draw(data, ANY)
        wanted = getattr(np, UNARY[name])(a)
        same(getattr(tenon, name)(x), wanted, 1e-10)
        out = tenon.empty(0, dtype=getattr(tenon, np.asarray(wanted).dtype.name))
        if name != "isfinite":  # which has no form with out
            same(getattr(tenon, name)(x, out=out), wanted, 1e-10)


BINARY = {
    "add": "add",
    "sub": "subtract",
    "mul": "multiply",
    "div": "divide",
    "maximum": "maximum",
    "minimum": "minimum",
    "fmax": "fmax",
    "fmin": "fmin",
    "atan2": "arctan2",
    "hypot": "hypot",
    "copysign": "copysign",
    "nextafter": "nextafter",
    "fmod": "fmod",
    "floor_divide": "floor_divide",
    "logaddexp": "logaddexp",
    "eq": "equal",
    "ne": "not_equal",
    "lt": "less",
    "le": "less_equal",
    "gt": "greater",
    "ge": "greater_equal",
    "logical_and": "logical_and",
    "logical_or": "logical_or",
    "logical_xor": "logical_xor",
}


@pytest.mark.parametrize("name", BINARY)
@settings(max_examples=20)
@given(st.data())
def test_functions_of_two_tensors_that_broadcast(name, data):
    shapes = data.draw(arrays.mutually_broadcastable_shapes(num_shapes=2, max_dims=3, max_side=4))
    elements = FLOATS if name == "floor_divide" else ANY
    x, a = draw(data, elements, shape=shapes.input_shapes[0])
    y, b = draw(data, elements, shape=shapes.input_shapes[1])
    with np.errstate(all="ignore"):
        if name == "floor_divide":
            b = np.where(b == 0, 1, b)
            y = tenon.tensor(b)
        same(getattr(tenon, name)(x, y), getattr(np, BINARY[name])(a, b), 1e-10)


@pytest.mark.parametrize(
    "name",
    [
        "add",
        "sub",
        "mul",
        "bitwise_and",
        "bitwise_or",
        "bitwise_xor",
        "floor_divide",
        "remainder",
        "gcd",
        "lcm",
        "maximum",
        "minimum",
    ],
)
@settings(max_examples=20)
@given(st.data())
def test_integers_are_exact(name, data):
    numpys = {"sub": "subtract", "mul": "multiply"}.get(name, name)
    dtype = data.draw(st.sampled_from(["i1", "i2", "i4", "i8", "u1"]))
    limits = np.iinfo(dtype)
    elements = (
        st.integers(int(limits.min), int(limits.max))
        if name in ("add", "sub", "mul", "maximum", "minimum")
        else st.integers(0, 90)
    )
    x, a = draw(data, elements, dtype, arrays.array_shapes(max_dims=2, max_side=9))
    y, b = draw(data, elements, dtype, st.just(a.shape))
    if name in ("floor_divide", "remainder"):
        b = np.where(b == 0, 1, b).astype(dtype)
        y = tenon.tensor(b)
    if name == "lcm" and dtype in ("i1", "u1"):
        return
    with np.errstate(all="ignore"):
        assert np.array_equal(np.asarray(getattr(tenon, name)(x, y)), getattr(np, numpys)(a, b))


@pytest.mark.parametrize("name", "sum prod mean amax amin var std all any argmax argmin count_nonzero".split())
@settings(max_examples=25)
@given(st.data())
def test_reductions(name, data):
    shape = data.draw(arrays.array_shapes(min_dims=1, max_dims=4, max_side=4))
    x, a = draw(data, SMALL, "f8", st.just(shape))
    one = name in ("argmax", "argmin")
    axis = data.draw(st.integers(-len(shape), len(shape) - 1) if one else arrays.valid_tuple_axes(len(shape), min_size=1))
    keep = data.draw(st.booleans())
    numpys = {"amax": "max", "amin": "min"}.get(name, name)
    if name == "count_nonzero":
        same(tenon.count_nonzero(x, axis), np.count_nonzero(a, axis))
    elif name == "prod":
        same(tenon.prod(x, axis[0], keep), np.prod(a, axis[0], keepdims=keep))
    elif name in ("var", "std"):
        same(getattr(tenon, name)(x, axis, correction=0, keepdim=keep), getattr(np, name)(a, axis, keepdims=keep))
    else:
        same(getattr(tenon, name)(x, axis, keep), getattr(np, numpys)(a, axis, keepdims=keep))


@pytest.mark.parametrize(
    "name", ["cumsum", "cumprod", "diff", "sort", "argsort", "flip", "unbind", "roll", "tile", "squeeze", "repeat"]
)
@settings(max_examples=20)
@given(st.data())
def test_along_a_dimension(name, data):
    shape = data.draw(arrays.array_shapes(min_dims=1, max_dims=3, max_side=5))
    x, a = draw(data, SMALL, "i8", st.just(shape))
    axis = data.draw(st.integers(-len(shape), len(shape) - 1))
    count = data.draw(st.integers(0, 3))
    if name == "sort":
        same(tenon.sort(x, axis).values, np.sort(a, axis))
    elif name == "argsort":
        same(tenon.argsort(x, dim=axis, stable=True), np.argsort(a, axis, kind="stable"))
    elif name == "unbind":
        assert [row.tolist() for row in tenon.unbind(x, axis)] == [row.tolist() for row in np.moveaxis(a, axis, 0)]
    elif name == "roll":
        same(tenon.roll(x, count, axis), np.roll(a, count, axis))
    elif name == "tile":
        same(tenon.tile(x, (count, 2)), np.tile(a, (count, 2)))
    elif name == "squeeze":
        same(tenon.squeeze(x), np.squeeze(a))
    elif name == "repeat":
        same(tenon.repeat_interleave(x, count, axis), np.repeat(a, count, axis))
    else:
        same(
            getattr(tenon, name)(x, dim=axis) if name != "flip" else x.flip(axis),
            getattr(np, name)(a, axis=axis) if name != "flip" else np.flip(a, axis),
        )


@settings(max_examples=60)
@given(st.data())
def test_joining_taking_and_choosing(data):
    shape = data.draw(arrays.array_shapes(min_dims=1, max_dims=3, max_side=4))
    x, a = draw(data, SMALL, "i8", st.just(shape))
    y, b = draw(data, SMALL, "i8", st.just(shape))
    axis = data.draw(st.integers(-len(shape), len(shape) - 1))
    same(tenon.cat([x, y], axis), np.concatenate([a, b], axis))
    same(tenon.stack([x, y], axis), np.stack([a, b], axis))
    same(tenon.where(x > y, x, y), np.where(a > b, a, b))
    rows = data.draw(st.lists(st.integers(0, shape[axis] - 1), max_size=4))
    same(tenon.index_select(x, axis, tenon.tensor(rows, dtype=tenon.int64)), np.take(a, np.array(rows, dtype=int), axis))
    order = tenon.argsort(x, dim=axis, stable=True)
    same(tenon.gather(x, axis, order), np.take_along_axis(a, np.asarray(order), axis))
    same(tenon.unique(x), np.unique(a))
    same(tenon.isin(x, y), np.isin(a, b))
    values = np.sort(b.reshape(-1))
    same(tenon.searchsorted(tenon.tensor(values), x, right=True), np.searchsorted(values, a, side="right"))
    assert [part.tolist() for part in tenon.nonzero(x, as_tuple=True)] == [part.tolist() for part in np.nonzero(a)]


@settings(max_examples=60)
@given(st.data())
def test_views(data):
    x, a = draw(data, SMALL, "i8", arrays.array_shapes(min_dims=2, max_dims=4, max_side=4))
    order = data.draw(st.permutations(range(a.ndim)))
    same(x.permute(*order), a.transpose(order))
    same(x.permute(*order).reshape(-1), a.transpose(order).reshape(-1))
    same(tenon.diagonal(x), np.diagonal(a))
    same(tenon.moveaxis(x, 0, -1), np.moveaxis(a, 0, -1))
    same(x.unsqueeze(1).expand(-1, 3, *a.shape[1:]), np.broadcast_to(a[:, None], (a.shape[0], 3) + a.shape[1:]))
    assert [part.tolist() for part in x.tensor_split(2, 1)] == [part.tolist() for part in np.array_split(a, 2, 1)]


@pytest.mark.parametrize("source", ["?", "u1", "i1", "i2", "i4", "i8", "f2", "f4", "f8"])
@pytest.mark.parametrize(
    "target", ["bool", "uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64", "complex64"]
)
def test_conversions(source, target):
    a = np.array([0, 1, 2, 100, 0, 55, 7, 9, 127] * 3).astype(source)
    same(tenon.tensor(a).to(getattr(tenon, target)), a.astype(target))
    same(tenon.tensor(a)[::2].to(getattr(tenon, target)), a[::2].astype(target))

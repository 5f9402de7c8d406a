"""The array API standard, version 2024.12, in its own words.

    >>> from tenon import array_api as xp
    >>> x = xp.asarray([[3, 1, 2], [6, 5, 4]])
    >>> xp.max(x, axis=1)
    tensor([3, 6])

Tensor.__array_namespace__() is this module. Dtypes, tensors and most functions are those of the package. The functions written
here are those for which PyTorch uses the standard's name with another meaning (max, sort, nonzero, std, ...), or has no name.
Names that PyTorch does not use (astype, permute_dims, cumulative_sum, ...) are in the package ``tenon`` too.
"""

from typing import NamedTuple as _NamedTuple

from tenon import _core
from tenon._core import (  # noqa: F401: names of the standard that mean the same in PyTorch
    Tensor,
    acos,
    acosh,
    asin,
    asinh,
    atan,
    atanh,
    bool,
    ceil,
    complex64,
    complex128,
    conj,
    cos,
    cosh,
    e,
    exp,
    expm1,
    float32,
    float64,
    floor,
    from_dlpack,
    imag,
    inf,
    int8,
    int16,
    int32,
    int64,
    isfinite,
    isinf,
    isnan,
    log,
    log1p,
    log2,
    log10,
    logical_not,
    nan,
    negative,
    newaxis,
    pi,
    positive,
    real,
    reciprocal,
    signbit,
    sin,
    sinh,
    sqrt,
    square,
    tan,
    tanh,
    trunc,
    uint8,
    uint16,
    uint32,
    uint64,
)
from tenon._info import finfo, iinfo  # noqa: F401

__array_api_version__ = "2024.12"

_SIGNED = (int8, int16, int32, int64)
_UNSIGNED = (uint8, uint16, uint32, uint64)
_REAL = (float32, float64)
_COMPLEX = (complex64, complex128)


# ---- dtypes


def _name(dtype):
    return str(dtype).removeprefix("torch.")


def isdtype(dtype, kind):
    """Whether a dtype is of a kind: 'bool', 'integral', 'real floating', ..., a dtype, or a tuple of them."""
    if not isinstance(dtype, _core.dtype):
        raise TypeError(f"isdtype: {dtype!r} is not a dtype")
    if isinstance(kind, tuple):
        return any_(isdtype(dtype, one) for one in kind)
    if isinstance(kind, _core.dtype):
        return dtype is kind
    kinds = {
        "bool": lambda: dtype is bool,
        "signed integer": lambda: dtype in _SIGNED,
        "unsigned integer": lambda: dtype in _UNSIGNED,
        "integral": lambda: dtype in _SIGNED or dtype in _UNSIGNED,
        "real floating": lambda: dtype.is_floating_point,
        "complex floating": lambda: dtype.is_complex,
        "numeric": lambda: dtype is not bool,
    }
    if kind not in kinds:
        raise ValueError(f"isdtype: there is no kind {kind!r}; there are {', '.join(kinds)}")
    return kinds[kind]()


def result_type(*arrays_and_dtypes):
    """The dtype that an operation on these gives. A tensor without dimensions counts as any other; a number does not."""
    result, numbers = None, []
    for one in arrays_and_dtypes:
        if isinstance(one, (int, float, complex)):
            numbers.append(one)
            continue
        dtype = one if isinstance(one, _core.dtype) else one.dtype
        result = dtype if result is None else _core.promote_types(result, dtype)
    if result is None:
        raise ValueError("result_type: at least one array or dtype is needed")
    for number in numbers:
        result = _core.result_type(result, number)
    return result


def can_cast(from_, to, /):
    """Whether promotion may convert one dtype, or that of an array, to the other."""
    from_ = getattr(from_, "dtype", from_)
    whole = [dtype in _SIGNED or dtype in _UNSIGNED for dtype in (from_, to)]
    if whole[0] != whole[1] or (from_ is bool) != (to is bool):
        return False  # the standard promotes from one kind to another only real floats to complex ones
    return _core.promote_types(from_, to) is to


def astype(x, dtype, /, *, copy=True, device=None):
    """x in another dtype; x itself only where nothing changes and copy is False."""
    if x.dtype.is_complex and not dtype.is_complex and dtype is not bool:
        raise TypeError(f"astype: {_name(x.dtype)} to {_name(dtype)} would drop the imaginary parts: use real(x) first")
    return x.to(dtype, copy=copy) if device is None else x.to(device, dtype, copy=copy)


class _Info:
    """What this namespace can do: see ``__array_namespace_info__``."""

    def capabilities(self):
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": _core._max_dims}

    def default_device(self):
        return _core.device("cpu")

    def devices(self):
        return [_core.device("cpu")]

    def default_dtypes(self, *, device=None):
        _core.device(device or "cpu")
        floating = _core.get_default_dtype()
        return {
            "real floating": floating,
            "complex floating": complex128 if floating is float64 else complex64,
            "integral": int64,
            "indexing": int64,
        }

    def dtypes(self, *, device=None, kind=None):
        _core.device(device or "cpu")
        every = (bool, *_SIGNED, *_UNSIGNED, *_REAL, *_COMPLEX)
        return {_name(dtype): dtype for dtype in every if kind is None or isdtype(dtype, kind)}


def __array_namespace_info__():
    """Capabilities, devices and dtypes of this namespace."""
    return _Info()


# ---- elementwise functions of two arrays


def _promoted(x1, x2):
    """PyTorch lets a tensor without dimensions give way to one with; the standard does not."""
    first, second = isinstance(x1, Tensor), isinstance(x2, Tensor)
    if first and second:
        if x1.dtype is not x2.dtype and (x1.ndim == 0) != (x2.ndim == 0):
            dtype = _core.promote_types(x1.dtype, x2.dtype)
            return x1.to(dtype), x2.to(dtype)
    elif not (first or second):
        raise TypeError(f"at least one of two arguments must be an array, not {type(x1).__name__} and {type(x2).__name__}")
    return x1, x2


def _of_two(name, operator):
    function = getattr(_core, operator)

    def of_two(x1, x2, /):
        return function(*_promoted(x1, x2))

    of_two.__name__ = of_two.__qualname__ = name
    of_two.__doc__ = f"{name}(x1, x2, /): tenon.{operator}, with the standard's promotion."
    return of_two


add = _of_two("add", "add")
atan2 = _of_two("atan2", "atan2")
bitwise_and = _of_two("bitwise_and", "bitwise_and")
bitwise_left_shift = _of_two("bitwise_left_shift", "bitwise_left_shift")
bitwise_or = _of_two("bitwise_or", "bitwise_or")
bitwise_right_shift = _of_two("bitwise_right_shift", "bitwise_right_shift")
bitwise_xor = _of_two("bitwise_xor", "bitwise_xor")
copysign = _of_two("copysign", "copysign")
divide = _of_two("divide", "div")
equal = _of_two("equal", "eq")
floor_divide = _of_two("floor_divide", "floor_divide")
greater = _of_two("greater", "gt")
greater_equal = _of_two("greater_equal", "ge")
hypot = _of_two("hypot", "hypot")
less = _of_two("less", "lt")
less_equal = _of_two("less_equal", "le")
logaddexp = _of_two("logaddexp", "logaddexp")
logical_and = _of_two("logical_and", "logical_and")
logical_or = _of_two("logical_or", "logical_or")
logical_xor = _of_two("logical_xor", "logical_xor")
maximum = _of_two("maximum", "maximum")
minimum = _of_two("minimum", "minimum")
multiply = _of_two("multiply", "mul")
nextafter = _of_two("nextafter", "nextafter")
not_equal = _of_two("not_equal", "ne")
pow = _of_two("pow", "pow")
subtract = _of_two("subtract", "sub")


def remainder(x1, x2, /):
    """The remainder of x1 / x2, with the sign of x2, even where it is 0; there tenon.remainder, like PyTorch, gives +0."""
    x1, x2 = _promoted(x1, x2)
    result = _core.remainder(x1, x2)
    if not result.dtype.is_floating_point:
        return result
    return _core.where(result == 0, _core.copysign(result, x2), result)


# ---- elementwise functions of one array


def abs(x, /):
    """The absolute value of each element."""
    return _core.abs(x)


def bitwise_invert(x, /):
    """Each bit of each element inverted."""
    return _core.bitwise_not(x)


def sign(x, /):
    """-1, 0 or 1 by the sign of each element, NaN for NaN; for a complex number, the one of modulus 1 in its direction."""
    if x.dtype.is_complex:
        return _core.sgn(x)
    return _core.where(_core.isnan(x), x, _core.sign(x)) if x.dtype.is_floating_point else _core.sign(x)


def round(x, /):
    """The nearest integer, the even one of two that are equally near; for a complex number, both parts."""
    return _core.complex(_core.round(x.real), _core.round(x.imag)) if x.dtype.is_complex else _core.round(x)


def clip(x, /, min=None, max=None):
    """x with elements below min raised to it and elements above max lowered to it; in the dtype of x."""
    bounds = [one.to(x.dtype) if isinstance(one, Tensor) else one for one in (min, max)]
    shape = _core.broadcast_shapes(x.shape, *(one.shape for one in bounds if isinstance(one, Tensor)))
    x = _core.broadcast_to(x, shape) if shape != x.shape else x
    if bounds == [None, None]:
        return x.clone()
    if any_(isinstance(one, Tensor) for one in bounds):
        bounds = [one if one is None or isinstance(one, Tensor) else _core.full((), one, dtype=x.dtype) for one in bounds]
    return _core.clamp(x, *bounds).to(x.dtype)


# ---- making arrays


def asarray(obj, /, *, dtype=None, device=None, copy=None):
    """An array from numbers, nested sequences, or whatever shares memory; copied when it must be, or when copy is True."""
    return _core.asarray(obj, dtype=dtype, device=device, copy=copy)


def empty(shape, *, dtype=None, device=None):
    """An array whose elements are not set."""
    return _core.empty(shape, dtype=dtype, device=device)


def zeros(shape, *, dtype=None, device=None):
    """All elements 0."""
    return _core.zeros(shape, dtype=dtype, device=device)


def ones(shape, *, dtype=None, device=None):
    """All elements 1."""
    return _core.ones(shape, dtype=dtype, device=device)


def full(shape, fill_value, *, dtype=None, device=None):
    """All elements fill_value."""
    return _core.full(shape if isinstance(shape, (tuple, list)) else (shape,), fill_value, dtype=dtype, device=device)


def empty_like(x, /, *, dtype=None, device=None):
    """An array in the shape of x whose elements are not set."""
    return _core.empty_like(x, dtype=dtype, device=device)


def zeros_like(x, /, *, dtype=None, device=None):
    """All elements 0, in the shape of x."""
    return _core.zeros_like(x, dtype=dtype, device=device)


def ones_like(x, /, *, dtype=None, device=None):
    """All elements 1, in the shape of x."""
    return _core.ones_like(x, dtype=dtype, device=device)


def full_like(x, /, fill_value, *, dtype=None, device=None):
    """All elements fill_value, in the shape of x."""
    return _core.full_like(x, fill_value, dtype=dtype, device=device)


def arange(start, /, stop=None, step=1, *, dtype=None, device=None):
    """start, start + step, ..., before stop; none where step leads away from it."""
    if stop is None:
        start, stop = 0, start
    if step == 0:
        raise ValueError("arange: step must not be 0")
    if (stop - start) / step <= 0:
        floating = any_(isinstance(one, float) for one in (start, stop, step))
        return _core.empty(0, dtype=dtype or (_core.get_default_dtype() if floating else int64), device=device)
    return _core.arange(start, stop, step, dtype=dtype, device=device)


def linspace(start, stop, /, num, *, dtype=None, device=None, endpoint=True):
    """num evenly spaced numbers from start to stop, which is the last one where endpoint is True."""
    if dtype is None and (isinstance(start, complex) or isinstance(stop, complex)):
        dtype = complex128 if _core.get_default_dtype() is float64 else complex64
    if endpoint or num == 0:
        return _core.linspace(start, stop, num, dtype=dtype, device=device)
    return _core.linspace(start, stop, num + 1, dtype=dtype, device=device)[:-1]


def eye(n_rows, n_cols=None, /, *, k=0, dtype=None, device=None):
    """Ones on diagonal k, zeros elsewhere."""
    columns = n_rows if n_cols is None else n_cols
    if k == 0:
        return _core.eye(n_rows, columns, dtype=dtype, device=device)
    made = _core.zeros((n_rows, columns), dtype=dtype, device=device)
    if -n_rows < k < columns:
        made.diagonal(k).fill_(1)
    return made


def meshgrid(*arrays, indexing="xy"):
    """Coordinates of a grid, one array for each dimension."""
    return list(_core.meshgrid(*arrays, indexing=indexing)) if arrays else []


def tril(x, /, *, k=0):
    """The elements up to diagonal k, zeros above it."""
    return _core.tril(x, k)


def triu(x, /, *, k=0):
    """The elements from diagonal k on, zeros below it."""
    return _core.triu(x, k)


# ---- manipulation


def broadcast_arrays(*arrays):
    """The arrays under the shape they have in common."""
    return list(_core.broadcast_tensors(*arrays)) if arrays else []


def broadcast_to(x, /, shape):
    """x under a larger shape."""
    return _core.broadcast_to(x, shape)


def concat(arrays, /, *, axis=0):
    """The arrays one after the other along an axis; None: all their elements in a row."""
    arrays = tuple(arrays)
    dtype = result_type(*arrays)
    arrays = [x.to(dtype) for x in arrays]
    return _core.cat([x.reshape(-1) for x in arrays]) if axis is None else _core.cat(arrays, axis)


def expand_dims(x, /, *, axis=0):
    """x with one more axis, of size 1."""
    return _core.unsqueeze(x, axis)


def flip(x, /, *, axis=None):
    """x reversed along axes; None: all."""
    return _core.flip(x, _axes(x, axis))


def moveaxis(x, source, destination, /):
    """x with axes brought to other places."""
    return _core.movedim(x, source, destination)


def permute_dims(x, /, axes):
    """x with its axes in another order."""
    return _core.permute(x, axes)


def repeat(x, repeats, /, *, axis=None):
    """Each element as often as given, along an axis; None: of x as a row."""
    if isinstance(repeats, Tensor) and repeats.numel() == 1:
        repeats = int(repeats.reshape(()))
    return _core.repeat_interleave(x, repeats) if axis is None else _core.repeat_interleave(x, repeats, axis)


def reshape(x, /, shape, *, copy=None):
    """x under another shape; copy False: as a view or not at all."""
    if copy:
        return x.clone(memory_format=_core.contiguous_format).view(shape)
    if copy is None:
        return _core.reshape(x, shape)
    return x.view(shape)


def roll(x, /, shift, *, axis=None):
    """x with its elements moved along axes; what leaves at one end comes in at the other."""
    if axis is None:
        return _core.roll(x, shift)
    axis = axis if isinstance(axis, (tuple, list)) else (axis,)
    shift = shift if isinstance(shift, (tuple, list)) else (shift,) * len(axis)
    return _core.roll(x, shift, axis)


def squeeze(x, /, axis):
    """x without axes of size 1."""
    for one in _axes(x, axis):
        if x.shape[one] != 1:
            raise ValueError(f"squeeze: axis {one} of shape {tuple(x.shape)} has size {x.shape[one]}, not 1")
    return _core.squeeze(x, axis)


def stack(arrays, /, *, axis=0):
    """The arrays along a new axis."""
    arrays = tuple(arrays)
    dtype = result_type(*arrays)
    return _core.stack([x.to(dtype) for x in arrays], axis)


def tile(x, repetitions, /):
    """x repeated along each axis."""
    return _core.tile(x, repetitions)


def unstack(x, /, *, axis=0):
    """The arrays along an axis, a tuple."""
    return _core.unbind(x, axis)


def matrix_transpose(x, /):
    """x with its last two axes exchanged."""
    return x.mT


# ---- searching, sorting, sets, indexing


def _axes(x, axis):
    """Axes as a tuple without negative ones; None: all."""
    if axis is None:
        return tuple(range(x.ndim))
    found = []
    for one in axis if isinstance(axis, tuple) else (axis,):
        if not -x.ndim <= one < x.ndim:
            raise IndexError(f"there is no axis {one}: the array has {x.ndim} dimensions")
        found.append(one % x.ndim)
    if len(set(found)) != len(found):
        raise ValueError(f"an axis is named twice: {axis}")
    return tuple(found)


def argmax(x, /, *, axis=None, keepdims=False):
    """Where the largest element is; the first of them."""
    return _core.argmax(x, axis, keepdims)


def argmin(x, /, *, axis=None, keepdims=False):
    """Where the smallest element is; the first of them."""
    return _core.argmin(x, axis, keepdims)


def nonzero(x, /):
    """Where elements are not zero: indices, one array for each axis."""
    if x.ndim == 0:
        raise ValueError("nonzero: an array without dimensions has no positions")
    return _core.nonzero(x, as_tuple=True)


def searchsorted(x1, x2, /, *, side="left", sorter=None):
    """Where in x1, which is sorted, the elements of x2 belong."""
    dtype = result_type(x1, x2)
    return _core.searchsorted(x1.to(dtype), x2.to(dtype), side=side, sorter=sorter)


def where(condition, x1, x2, /):
    """x1 where the condition holds, x2 elsewhere."""
    return _core.where(condition, *_promoted(x1, x2))


def sort(x, /, *, axis=-1, descending=False, stable=True):
    """x in order along an axis."""
    return _core.sort(x, dim=axis, descending=descending, stable=stable).values


def argsort(x, /, *, axis=-1, descending=False, stable=True):
    """The indices that sort x along an axis."""
    return _core.argsort(x, dim=axis, descending=descending, stable=stable)


class unique_all_result(_NamedTuple):
    values: Tensor
    indices: Tensor
    inverse_indices: Tensor
    counts: Tensor


class unique_counts_result(_NamedTuple):
    values: Tensor
    counts: Tensor


class unique_inverse_result(_NamedTuple):
    values: Tensor
    inverse_indices: Tensor


def unique_all(x, /):
    """The values in x, where each occurs first, which of them each element is, and how many of each there are."""
    values, inverse, counts = _core.unique(x, return_inverse=True, return_counts=True)
    inverse = inverse.reshape(x.shape)
    order = _core.argsort(inverse.reshape(-1), stable=True)
    return unique_all_result(values, order[_core.cumsum(counts, 0) - counts], inverse, counts)


def unique_counts(x, /):
    """The values in x, and how many of each there are."""
    return unique_counts_result(*_core.unique(x, return_counts=True))


def unique_inverse(x, /):
    """The values in x, and which of them each element is."""
    values, inverse = _core.unique(x, return_inverse=True)
    return unique_inverse_result(values, inverse.reshape(x.shape))


def unique_values(x, /):
    """The values in x."""
    return _core.unique(x)


def take(x, indices, /, *, axis=None):
    """The elements, rows, ... of x at indices along an axis."""
    if axis is None:
        if x.ndim != 1:
            raise ValueError(f"take: an axis must be named for an array of {x.ndim} dimensions")
        axis = 0
    (axis,) = _axes(x, axis)
    return x[(slice(None),) * axis + (indices,)]


def take_along_axis(x, indices, /, *, axis=-1):
    """The elements of x at indices, line by line."""
    (axis,) = _axes(x, axis)
    indices = indices.to(int64)
    return _core.take_along_dim(x, indices + x.shape[axis] * (indices < 0), axis)


# ---- statistics


def _wide(x, dtype):
    """The dtype in which sums and products are computed."""
    if dtype is not None:
        return dtype
    return int64 if x.dtype in _SIGNED or x.dtype is bool else uint64 if x.dtype in _UNSIGNED else x.dtype


def sum(x, /, *, axis=None, dtype=None, keepdims=False):
    """The sum along axes; None: of all elements."""
    dtype = _wide(x, dtype)
    return x.to(dtype, copy=True) if axis == () else _core.sum(x, _axes(x, axis) or None, keepdims, dtype=dtype)


def prod(x, /, *, axis=None, dtype=None, keepdims=False):
    """The product along axes; None: of all elements."""
    x = x.to(_wide(x, dtype), copy=axis == ())
    axes = sorted(_axes(x, axis))
    if axis is None and not keepdims:
        return _core.prod(x, dtype=x.dtype)
    for one in reversed(axes):
        x = _core.prod(x, one, keepdims, dtype=x.dtype)
    return x


def max(x, /, *, axis=None, keepdims=False):
    """The largest element along axes; None: of all."""
    return x.clone() if axis == () or x.ndim == 0 else _core.amax(x, _axes(x, axis), keepdims)


def min(x, /, *, axis=None, keepdims=False):
    """The smallest element along axes; None: of all."""
    return x.clone() if axis == () or x.ndim == 0 else _core.amin(x, _axes(x, axis), keepdims)


def mean(x, /, *, axis=None, keepdims=False):
    """The mean along axes; None: of all elements."""
    return x.clone() if axis == () or x.ndim == 0 else _core.mean(x, _axes(x, axis), keepdims)


def var(x, /, *, axis=None, correction=0.0, keepdims=False):
    """The variance along axes, of n - correction degrees of freedom."""
    if axis == ():
        return _core.zeros_like(x) / (1 - correction)
    return _core.var(x, _axes(x, axis) or None, correction=correction, keepdim=keepdims)


def std(x, /, *, axis=None, correction=0.0, keepdims=False):
    """The standard deviation along axes, of n - correction degrees of freedom."""
    return _core.sqrt(var(x, axis=axis, correction=correction, keepdims=keepdims))


def _cumulative(function, start, x, axis, dtype, include_initial):
    if axis is None:
        if x.ndim > 1:
            raise ValueError(f"an axis must be named for an array of {x.ndim} dimensions")
        x, axis = x.reshape(-1), 0
    (axis,) = _axes(x, axis)
    dtype = _wide(x, dtype)
    result = function(x, axis, dtype=dtype)
    if include_initial:
        shape = list(x.shape)
        shape[axis] = 1
        result = _core.cat([_core.full(shape, start, dtype=dtype), result], axis)
    return result


def cumulative_sum(x, /, *, axis=None, dtype=None, include_initial=False):
    """The sums of the elements so far along an axis; with the empty sum in front where include_initial is True."""
    return _cumulative(_core.cumsum, 0, x, axis, dtype, include_initial)


def cumulative_prod(x, /, *, axis=None, dtype=None, include_initial=False):
    """The products of the elements so far along an axis; with the empty product in front where include_initial is True."""
    return _cumulative(_core.cumprod, 1, x, axis, dtype, include_initial)


# ---- utility


def all(x, /, *, axis=None, keepdims=False):
    """Whether all elements are true along axes; None: of all."""
    x = x.to(bool, copy=axis == ())
    return x if axis == () else _core.all(x, _axes(x, axis) or None, keepdims)


def any(x, /, *, axis=None, keepdims=False):
    """Whether one element is true along axes; None: of all."""
    x = x.to(bool, copy=axis == ())
    return x if axis == () else _core.any(x, _axes(x, axis) or None, keepdims)


def count_nonzero(x, /, *, axis=None, keepdims=False):
    """How many elements are not zero along axes; None: of all."""
    return sum(x != 0, axis=axis, dtype=int64, keepdims=keepdims)


def diff(x, /, *, axis=-1, n=1, prepend=None, append=None):
    """The differences of neighbours along an axis, n times."""
    return _core.diff(x, n=n, dim=axis, prepend=prepend, append=append)


# ---- products: the linear algebra of the main namespace


def vecdot(x1, x2, /, *, axis=-1):
    """The dot products of the vectors along an axis, the first ones conjugated."""
    dtype = result_type(x1, x2)
    return _core.linalg_vecdot(x1.to(dtype), x2.to(dtype), dim=axis)


if hasattr(_core, "matmul"):

    def matmul(x1, x2, /):
        """The matrix product."""
        dtype = result_type(x1, x2)
        return _core.matmul(x1.to(dtype), x2.to(dtype))


if hasattr(_core, "tensordot"):

    def tensordot(x1, x2, /, *, axes=2):
        """The sums of products over axes of both."""
        dtype = result_type(x1, x2)
        return _core.tensordot(x1.to(dtype), x2.to(dtype), axes)


def any_(truths):
    """Python's any, whose name is taken here."""
    for truth in truths:
        if truth:
            return True
    return False


def __getattr__(name):
    if name in ("linalg", "fft"):
        import importlib

        return importlib.import_module(f"tenon._array_api_{name}" if name == "linalg" else "tenon.fft")
    raise AttributeError(f"module 'tenon.array_api' has no attribute {name!r}")


def __dir__():
    return sorted({name for name in globals() if not name.startswith("_") and name not in ("any_", "Tensor")} | _DUNDERS)


_DUNDERS = {"__array_api_version__", "__array_namespace_info__"}

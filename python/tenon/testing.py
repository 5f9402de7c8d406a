"""torch.testing: comparisons for tests."""

import cmath
from collections.abc import Mapping, Sequence

from tenon import _core

__all__ = ["assert_allclose", "assert_close", "make_tensor"]

_CLOSE = {_core.float16: (1e-3, 1e-5), _core.bfloat16: (1.6e-2, 1e-5), _core.float32: (1.3e-6, 1e-5), _core.float64: (1e-7, 1e-7),
          _core.complex64: (1.3e-6, 1e-5), _core.complex128: (1e-7, 1e-7)}


def _fail(kind, text, where, msg):
    text = f"{text}\n\nThis is at {where}" if where else text
    if msg is not None:
        text = msg(text) if callable(msg) else msg
    raise kind(text)


def _tolerances(dtypes, rtol, atol):
    if (rtol is None) != (atol is None):
        raise ValueError("assert_close: give both of rtol and atol, or neither")
    if rtol is not None:
        return rtol, atol
    pairs = [_CLOSE.get(dtype, (0.0, 0.0)) for dtype in dtypes]
    return max(pair[0] for pair in pairs), max(pair[1] for pair in pairs)


def _tensors(actual, expected, where, rtol, atol, equal_nan, checks, msg):
    if actual.shape != expected.shape:
        _fail(AssertionError, f"the sizes differ: {tuple(actual.shape)} and {tuple(expected.shape)}", where, msg)
    if checks["check_device"] and actual.device != expected.device:
        _fail(AssertionError, f"the devices differ: {actual.device} and {expected.device}", where, msg)
    if checks["check_dtype"] and actual.dtype != expected.dtype:
        _fail(AssertionError, f"the dtypes differ: {actual.dtype} and {expected.dtype}", where, msg)
    if checks["check_stride"] and actual.stride() != expected.stride():
        _fail(AssertionError, f"the strides differ: {actual.stride()} and {expected.stride()}", where, msg)
    rtol, atol = _tolerances((actual.dtype, expected.dtype), rtol, atol)
    actual, expected = actual.detach(), expected.detach()
    if actual.dtype != expected.dtype:
        common = _core.promote_types(actual.dtype, expected.dtype)
        actual, expected = actual.to(common), expected.to(common)
    if actual.dtype == _core.bool:
        actual, expected = actual.to(_core.uint8), expected.to(_core.uint8)
    good = _core.isclose(actual, expected, rtol=rtol, atol=atol, equal_nan=equal_nan)
    if bool(good.all()):
        return
    bad, count = int((~good).sum().item()), good.numel()
    wide = _core.complex128 if actual.is_complex() else _core.float64
    away = (actual.to(wide) - expected.to(wide)).abs()
    away = away.masked_fill(good, 0)
    scaled = (away / expected.to(wide).abs()).masked_fill(good, 0)

    def largest(values):
        flat = values.reshape(-1).nan_to_num(float("inf"), float("inf"))
        at = int(flat.argmax().item())
        place = []
        for n in reversed(values.shape):
            place.append(at % n)
            at //= n
        return flat.max().item(), tuple(reversed(place))
    lines = ["the tensors are not close:" if rtol or atol else "the tensors are not equal:", "",
             f"{bad} of {count} elements differ ({100 * bad / count:.1f} %)"]
    for name, values, allowed in (("absolute", away, atol), ("relative", scaled, rtol)):
        most, place = largest(values)
        lines.append(f"largest {name} difference: {most}" + (f" at {place}" if place else "") + f" ({allowed} allowed)")
    _fail(AssertionError, "\n".join(lines), where, msg)


def _compare(actual, expected, where, allow_subclasses, rtol, atol, equal_nan, checks, msg):
    numbers = (int, float, complex)
    if isinstance(actual, Mapping) and isinstance(expected, Mapping):
        if set(actual) != set(expected):
            missing, extra = sorted(map(str, set(expected) - set(actual))), sorted(map(str, set(actual) - set(expected)))
            _fail(AssertionError, f"the keys differ: {missing} are missing, {extra} are too many", where, msg)
        for key in actual:
            _compare(actual[key], expected[key], f"{where}[{key!r}]", allow_subclasses, rtol, atol, equal_nan, checks, msg)
        return
    text = (str, bytes)
    if isinstance(actual, Sequence) and isinstance(expected, Sequence) and not isinstance(actual, text) and not isinstance(expected, text):
        if len(actual) != len(expected):
            _fail(AssertionError, f"the lengths differ: {len(actual)} and {len(expected)}", where, msg)
        for i, (one, other) in enumerate(zip(actual, expected)):
            _compare(one, other, f"{where}[{i}]", allow_subclasses, rtol, atol, equal_nan, checks, msg)
        return
    if actual is None or expected is None:
        if actual is not expected:
            _fail(AssertionError, f"{actual} and {expected} are not both None", where, msg)
        return
    if isinstance(actual, bool) and isinstance(expected, bool):
        if actual is not expected:
            _fail(AssertionError, f"{actual} is not {expected}", where, msg)
        return
    if isinstance(actual, numbers) and isinstance(expected, numbers):
        if checks["check_dtype"] and type(actual) is not type(expected):
            _fail(AssertionError, f"the types differ: {type(actual)} and {type(expected)}", where, msg)
        kinds = {bool: _core.bool, int: _core.int64, float: _core.float64, complex: _core.complex128}
        near, least = _tolerances((kinds[type(actual)], kinds[type(expected)]), rtol, atol)
        same = actual == expected or (equal_nan and cmath.isnan(actual) and cmath.isnan(expected)) or (
            cmath.isfinite(actual) and cmath.isfinite(expected) and abs(actual - expected) <= least + near * abs(expected))
        if not same:
            _fail(AssertionError, f"the numbers are not close: {actual} and {expected}", where, msg)
        return
    related = isinstance(actual, type(expected)) or isinstance(expected, type(actual))
    if not related or (not allow_subclasses and type(actual) is not type(expected)):
        _fail(TypeError, f"assert_close compares values of related types, not {type(actual)} and {type(expected)}", where, msg)
    try:
        tensors = [value if isinstance(value, _core.Tensor) else _core.as_tensor(value) for value in (actual, expected)]
    except Exception:
        _fail(TypeError, f"assert_close compares tensors and what they can be made of, not {type(actual).__name__} and "
                         f"{type(expected).__name__}", where, msg)
    _tensors(*tensors, where, rtol, atol, equal_nan, checks, msg)


def assert_close(actual, expected, *, allow_subclasses=True, rtol=None, atol=None, equal_nan=False, check_device=True, check_dtype=True,
                 check_layout=True, check_stride=False, msg=None):
    """An AssertionError, unless |actual - expected| <= atol + rtol * |expected| everywhere; also for numbers, lists and dictionaries."""
    checks = {"check_device": check_device, "check_dtype": check_dtype, "check_stride": check_stride}
    _compare(actual, expected, "", allow_subclasses, rtol, atol, equal_nan, checks, msg)


def assert_allclose(actual, expected, rtol=None, atol=None, equal_nan=True, msg=""):
    """The old form of assert_close."""
    tensors = [value if isinstance(value, _core.Tensor) else _core.tensor(value) for value in (actual, expected)]
    if rtol is None and atol is None:
        rtol, atol = _tolerances([one.dtype for one in tensors], None, None)
    assert_close(*tensors, rtol=rtol, atol=atol, equal_nan=equal_nan, check_device=True, check_dtype=False, check_stride=False, msg=msg or None)


def make_tensor(*shape, dtype, device="cpu", low=None, high=None, requires_grad=False, noncontiguous=False, exclude_zero=False, memory_format=None):
    """Random values between low and high: -9 to 9 where they are not given, 0 to 9 for uint8 and 0 or 1 for bool."""
    if len(shape) == 1 and isinstance(shape[0], Sequence):
        shape = tuple(shape[0])
    if noncontiguous and memory_format is not None:
        raise ValueError("make_tensor: give noncontiguous or memory_format, not both")
    sizes = (*shape[:-1], 2 * shape[-1]) if noncontiguous and shape else shape
    if dtype == _core.bool:
        made = _core.randint(0, 2, sizes, device=device, dtype=dtype)
    elif dtype.is_floating_point:
        made = _core.empty(sizes, device=device, dtype=dtype).uniform_(-9 if low is None else low, 9 if high is None else high)
    elif dtype.is_complex:
        real = _core.float64 if dtype == _core.complex128 else _core.float32
        made = _core.view_as_complex(_core.empty((*sizes, 2), device=device, dtype=real).uniform_(-9 if low is None else low, 9 if high is None else high))
    else:
        low = (0 if dtype in (_core.uint8, _core.uint16, _core.uint32, _core.uint64) else -9) if low is None else int(low)
        made = _core.randint(low, 10 if high is None else int(high), sizes, device=device, dtype=dtype)
    if noncontiguous and shape:
        made = made[..., ::2]
    elif memory_format is not None:
        made = made.clone(memory_format=memory_format)
    if exclude_zero:
        made[made == 0] = _core.tensor(1 if not dtype.is_floating_point else _core_tiny(dtype), dtype=dtype)
    return made.requires_grad_() if requires_grad else made


def _core_tiny(dtype):
    from tenon._info import finfo
    return finfo(dtype).tiny

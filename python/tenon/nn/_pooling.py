"""Pooling as torch.nn.functional has it: indices when asked for, windows and sizes as a number, a tuple or None."""

from tenon import _core


def _numbers(value, count, name, function):
    """One number for each dimension."""
    numbers = (value,) * count if isinstance(value, int) else tuple(value)
    if len(numbers) == 1:
        numbers *= count
    if len(numbers) != count:
        raise _core.ShapeError(f"{function}(): {name} is an integer or {count} of them, not {value!r}")
    return numbers


def _max_pool(count):
    plain, indexed = getattr(_core, f"max_pool{count}d"), getattr(_core, f"max_pool{count}d_with_indices")

    def max_pool_with_indices(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
        return indexed(input, kernel_size, () if stride is None else stride, padding, dilation, ceil_mode)

    def max_pool(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
        return (indexed if return_indices else plain)(input, kernel_size, () if stride is None else stride, padding, dilation, ceil_mode)

    return _named(max_pool, f"max_pool{count}d", plain), _named(max_pool_with_indices, f"max_pool{count}d_with_indices", indexed)


def _adaptive_max_pool(count):
    indexed = getattr(_core, f"adaptive_max_pool{count}d")

    def adaptive_max_pool_with_indices(input, output_size, return_indices=False):
        return indexed(input, _sizes(input, output_size, count))

    def adaptive_max_pool(input, output_size, return_indices=False):
        found = indexed(input, _sizes(input, output_size, count))
        return found if return_indices else found[0]

    name = f"adaptive_max_pool{count}d"
    return _named(adaptive_max_pool, name, indexed), _named(adaptive_max_pool_with_indices, name + "_with_indices", indexed)


def _adaptive_avg_pool(count):
    function = getattr(_core, f"adaptive_avg_pool{count}d")

    def adaptive_avg_pool(input, output_size):
        return function(input, _sizes(input, output_size, count))

    return _named(adaptive_avg_pool, f"adaptive_avg_pool{count}d", function)


def _sizes(input, output_size, count):
    """The sizes of a result; None is the size that input has."""
    if isinstance(output_size, int):
        return (output_size,) * count
    sizes = tuple(output_size)
    if None not in sizes:
        return sizes
    return tuple(have if size is None else size for size, have in zip(sizes, input.shape[-len(sizes):]))


def _fractional_max_pool(count):
    indexed = getattr(_core, f"fractional_max_pool{count}d")
    name = f"fractional_max_pool{count}d"

    def fractional_max_pool_with_indices(input, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None):
        if output_size is None and output_ratio is None:
            raise ValueError(f"{name}(): give output_size or output_ratio")
        if output_size is None:
            ratios = (output_ratio,) * count if isinstance(output_ratio, (int, float)) else tuple(output_ratio)
            if len(ratios) != count:
                raise ValueError(f"{name}(): output_ratio is a number or {count} of them, not {output_ratio!r}")
            output_size = [int(size * ratio) for size, ratio in zip(input.shape[-count:], ratios)]
        if _random_samples is None:
            planes = (1, input.shape[0]) if input.ndim == count + 1 else tuple(input.shape[:2])
            _random_samples = _core.rand(*planes, count, dtype=input.dtype, device=input.device)
        return indexed(input, kernel_size, output_size, _random_samples)

    def fractional_max_pool(input, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None):
        found = fractional_max_pool_with_indices(input, kernel_size, output_size, output_ratio, return_indices, _random_samples)
        return found if return_indices else found[0]

    return _named(fractional_max_pool, name, indexed), _named(fractional_max_pool_with_indices, name + "_with_indices", indexed)


def _unpooled(input, kernel_size, stride, padding, output_size, name):
    """The sizes of what was pooled: those that are asked for, if such a pooling gives input."""
    count = len(kernel_size)
    standard = [(size - 1) * step + wide - 2 * pad
                for size, step, wide, pad in zip(input.shape[-count:], stride, kernel_size, padding)]
    if output_size is None:
        return standard
    sizes = list(output_size)[-count:] if len(output_size) == count + 2 else list(output_size)
    if len(sizes) != count:
        raise ValueError(f"{name}(): output_size has {len(output_size)} numbers, not {count} or {count + 2}")
    for size, usual, step in zip(sizes, standard, stride):
        if not usual - step < size < usual + step:
            raise ValueError(f"{name}(): output_size {sizes} is too far from {standard}: less than stride {list(stride)} away")
    return sizes


def max_unpool1d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    """Zeros with the elements of input where max_pool1d found them."""
    window = _numbers(kernel_size, 1, "kernel_size", "max_unpool1d")
    step = window if stride is None else _numbers(stride, 1, "stride", "max_unpool1d")
    sizes = _unpooled(input, window, step, _numbers(padding, 1, "padding", "max_unpool1d"), output_size, "max_unpool1d")
    return _core.max_unpool2d(input.unsqueeze(-1), indices.unsqueeze(-1), [*sizes, 1]).squeeze(-1)


def max_unpool2d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    """Zeros with the elements of input where max_pool2d found them."""
    window = _numbers(kernel_size, 2, "kernel_size", "max_unpool2d")
    step = window if stride is None else _numbers(stride, 2, "stride", "max_unpool2d")
    sizes = _unpooled(input, window, step, _numbers(padding, 2, "padding", "max_unpool2d"), output_size, "max_unpool2d")
    return _core.max_unpool2d(input, indices, sizes)


def max_unpool3d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    """Zeros with the elements of input where max_pool3d found them."""
    window = _numbers(kernel_size, 3, "kernel_size", "max_unpool3d")
    step = window if stride is None else _numbers(stride, 3, "stride", "max_unpool3d")
    around = _numbers(padding, 3, "padding", "max_unpool3d")
    return _core.max_unpool3d(input, indices, _unpooled(input, window, step, around, output_size, "max_unpool3d"), step, around)


def _avg_pool(count):
    function = getattr(_core, f"avg_pool{count}d")

    def avg_pool(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None):
        return function(input, kernel_size, () if stride is None else stride, padding, ceil_mode, count_include_pad, divisor_override)

    def avg_pool1d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
        return function(input, kernel_size, () if stride is None else stride, padding, ceil_mode, count_include_pad)

    return _named(avg_pool1d if count == 1 else avg_pool, f"avg_pool{count}d", function)


def _lp_pool(count):
    function = getattr(_core, f"lp_pool{count}d")

    def lp_pool(input, norm_type, kernel_size, stride=None, ceil_mode=False):
        return function(input, float(norm_type), kernel_size, () if stride is None else stride, ceil_mode)

    return _named(lp_pool, f"lp_pool{count}d", function)


def _named(function, name, of):
    function.__name__ = function.__qualname__ = name
    function.__doc__ = of.__doc__
    return function


avg_pool1d, avg_pool2d, avg_pool3d = (_avg_pool(count) for count in (1, 2, 3))
lp_pool1d, lp_pool2d, lp_pool3d = (_lp_pool(count) for count in (1, 2, 3))
max_pool1d, max_pool1d_with_indices = _max_pool(1)
max_pool2d, max_pool2d_with_indices = _max_pool(2)
max_pool3d, max_pool3d_with_indices = _max_pool(3)
adaptive_avg_pool1d, adaptive_avg_pool2d, adaptive_avg_pool3d = (_adaptive_avg_pool(count) for count in (1, 2, 3))
adaptive_max_pool1d, adaptive_max_pool1d_with_indices = _adaptive_max_pool(1)
adaptive_max_pool2d, adaptive_max_pool2d_with_indices = _adaptive_max_pool(2)
adaptive_max_pool3d, adaptive_max_pool3d_with_indices = _adaptive_max_pool(3)
fractional_max_pool2d, fractional_max_pool2d_with_indices = _fractional_max_pool(2)
fractional_max_pool3d, fractional_max_pool3d_with_indices = _fractional_max_pool(3)

"""Functions whose arguments take more forms in PyTorch, or another order, than their rows of the operator table."""

from typing import NamedTuple

from tenon import _core


def polygamma(n, input, *, out=None):
    """The derivative of order n of digamma."""
    if isinstance(n, _core.Tensor):
        raise TypeError("polygamma(): n, the first argument, is a whole number, not a tensor")
    return _core.polygamma(input, n) if out is None else _core.polygamma(input, n, out=out)


def unravel_index(indices, shape):
    """The place of each index in a tensor of this shape, as a tensor for each dimension."""
    sizes = [shape] if hasattr(shape, "__index__") else list(shape)
    if not isinstance(indices, _core.Tensor):
        raise TypeError(f"unravel_index(): indices is a tensor, not {type(indices).__name__}")
    if indices.is_floating_point() or indices.is_complex() or indices.dtype == _core.bool:
        raise ValueError(f"unravel_index(): indices are integers, not {indices.dtype}")
    if any(size < 0 for size in sizes):
        raise ValueError(f"unravel_index(): sizes are not negative, and are {sizes}")
    if indices.numel() and sizes:
        total = 1
        for size in sizes:
            total *= size
        if total <= int(indices.max()) or int(indices.min()) < 0 and -total > int(indices.min()):
            raise ValueError(f"unravel_index(): an index is outside a tensor of sizes {sizes}, which has {total} elements")
    return tuple(_core.unravel_index(indices, sizes))


def _are_tensors(values):
    return bool(values) and all(isinstance(value, _core.Tensor) for value in values)


def gradient(input, *, spacing=None, dim=None, edge_order=1):
    """The slope of a function known at points, along each dimension: a tuple of tensors."""
    if dim is not None:
        dim = [dim] if hasattr(dim, "__index__") else list(dim)
    if spacing is None or isinstance(spacing, (int, float)):
        steps = [] if spacing is None else [float(spacing)]
    else:
        steps = [spacing] if isinstance(spacing, _core.Tensor) else list(spacing)
        if not _are_tensors(steps):
            steps = [float(step) for step in steps]
    return tuple(_core.gradient(input, steps, dim=dim, edge_order=edge_order))


class histogramdd_result(NamedTuple):
    hist: object
    bin_edges: tuple


def histogramdd(input, bins, *, range=None, weight=None, density=False):
    """How many points fall into each cell of a grid, and the edges of its bins."""
    bins = [bins] * input.shape[-1] if hasattr(bins, "__index__") else list(bins)
    if _are_tensors(bins):
        if range is not None:
            raise ValueError("histogramdd(): range goes with numbers of bins; edges say it themselves")
        hist, *edges = _core.histogramdd(input, bins, weight=weight, density=density)
    else:
        limits = [] if range is None else [float(limit) for limit in range]
        hist, *edges = _core.histogramdd(input, bins, limits, weight=weight, density=density)
    return histogramdd_result(hist, tuple(edges))

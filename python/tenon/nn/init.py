"""Starting values of weights: each changes its tensor and returns it."""

from tenon import _core
from tenon._lazy import table as _table

__getattr__, _list = _table(__name__, "", [
    "dirac_", "eye_", "kaiming_normal_", "kaiming_uniform_", "normal_", "orthogonal_", "sparse_", "trunc_normal_", "uniform_",
    "xavier_normal_", "xavier_uniform_"])


def constant_(tensor, val):
    """All elements val."""
    return _core.fill_(tensor, val)


def ones_(tensor):
    """All elements 1."""
    return _core.fill_(tensor, 1)


def zeros_(tensor):
    """All elements 0."""
    return _core.zero_(tensor)


def calculate_gain(nonlinearity, param=None):
    """The factor that keeps the variance of values through a nonlinearity."""
    if nonlinearity == "leaky_relu":
        slope = 0.01 if param is None else param
        return (2.0 / (1 + slope ** 2)) ** 0.5
    gains = {"tanh": 5.0 / 3, "relu": 2.0 ** 0.5, "selu": 3.0 / 4, "linear": 1.0, "sigmoid": 1.0}
    if nonlinearity not in gains and not nonlinearity.startswith("conv"):
        raise ValueError(f"there is no gain for {nonlinearity!r}")
    return gains.get(nonlinearity, 1.0)


def __dir__():
    return sorted({*_list(), "calculate_gain", "constant_", "ones_", "zeros_"})

"""Starting values of weights: each function changes its tensor, unseen by gradients, and returns it."""

import functools
import warnings

from tenon import _core
from tenon._lazy import table as _table

_find, _list = _table(__name__, "", [
    "dirac_", "eye_", "kaiming_normal_", "kaiming_uniform_", "normal_", "orthogonal_", "sparse_", "trunc_normal_", "uniform_",
    "xavier_normal_", "xavier_uniform_"])

_OLD = ["constant", "dirac", "eye", "kaiming_normal", "kaiming_uniform", "normal", "orthogonal", "uniform", "xavier_normal", "xavier_uniform"]


def _unseen(function):
    """The function without recording."""
    name = function.__name__

    @functools.wraps(function, assigned=("__name__", "__doc__"))
    def call(tensor=None, *args, **kwargs):
        before = _core._set_grad_mode(0)
        try:
            return function(kwargs.pop("self") if tensor is None and "self" in kwargs else tensor, *args, **kwargs)
        finally:
            _core._set_grad_mode(before)

    call.__qualname__ = name
    return call


@_unseen
def constant_(tensor, val):
    """All elements val."""
    return _core.fill_(tensor, val)


@_unseen
def ones_(tensor):
    """All elements 1."""
    return _core.fill_(tensor, 1)


@_unseen
def zeros_(tensor):
    """All elements 0."""
    return _core.zero_(tensor)


@_unseen
def normal_(tensor, mean=0.0, std=1.0, generator=None):
    """Normal random numbers."""
    return _core.normal_(tensor, mean, std, generator=generator)


@_unseen
def uniform_(tensor, a=0.0, b=1.0, generator=None):
    """Random numbers between a and b."""
    return _core.uniform_(tensor, a, b, generator=generator)


def calculate_gain(nonlinearity, param=None):
    """The factor that keeps the variance of values through a nonlinearity."""
    if nonlinearity == "leaky_relu":
        slope = 0.01 if param is None else param
        return (2.0 / (1 + slope ** 2)) ** 0.5
    gains = {"tanh": 5.0 / 3, "relu": 2.0 ** 0.5, "selu": 3.0 / 4, "linear": 1.0, "sigmoid": 1.0}
    if nonlinearity not in gains and not nonlinearity.startswith("conv"):
        raise ValueError(f"there is no gain for {nonlinearity!r}")
    return gains.get(nonlinearity, 1.0)


def _calculate_fan_in_and_fan_out(tensor):
    """How many numbers go into a unit of a weight, and how many units it serves."""
    if tensor.dim() < 2:
        raise ValueError(f"a weight of {tensor.dim()} dimensions has no fan in and fan out: it has 2 or more")
    field = tensor[0][0].numel() if tensor.dim() > 2 else 1
    return tensor.shape[1] * field, tensor.shape[0] * field


def _calculate_correct_fan(tensor, mode):
    mode = mode.lower()
    if mode not in ("fan_in", "fan_out"):
        raise ValueError(f"mode is 'fan_in' or 'fan_out', not {mode!r}")
    return _calculate_fan_in_and_fan_out(tensor)[mode == "fan_out"]


def _old(name):
    function = globals().get(name + "_") or __getattr__(name + "_")

    def call(*args, **kwargs):
        warnings.warn(f"nn.init.{name} is an old name of nn.init.{name}_", FutureWarning, stacklevel=2)
        return function(*args, **kwargs)

    call.__name__ = call.__qualname__ = name
    return call


def __getattr__(name):
    if name in _OLD:
        return _old(name)
    globals()[name] = _unseen(_find(name))
    return globals()[name]


def __dir__():
    return sorted({*_list(), "calculate_gain", "constant_", "normal_", "ones_", "uniform_", "zeros_"})

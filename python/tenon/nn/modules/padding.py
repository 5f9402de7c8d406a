"""Borders around tensors."""

from tenon import _core
from tenon.nn.modules.module import Module
from tenon.nn.modules.utils import _ntuple

__all__ = [kind + f"Pad{n}d" for kind in ("Circular", "Constant", "Reflection", "Replication", "Zero") for n in (1, 2, 3)]


class _Pad(Module):
    __constants__ = ["padding"]

    def __init__(self, padding):
        super().__init__()
        self.padding = _ntuple(2 * self._dims)(padding)

    def forward(self, input):
        return _core.pad(input, self.padding, self._mode)

    def extra_repr(self):
        return f"{self.padding}"


class _CircularPadNd(_Pad):
    _mode = "circular"

    def forward(self, input):
        self._check_input_dim(input)
        return super().forward(input)

    def _check_input_dim(self, input):
        if input.dim() not in (self._dims + 1, self._dims + 2):
            raise ValueError(f"{type(self).__name__}: the input has {input.dim()} dimensions, and not {self._dims + 1} or {self._dims + 2}")


class _ConstantPadNd(Module):
    __constants__ = ["padding", "value"]

    def __init__(self, padding, value):
        super().__init__()
        self.value = value
        self.padding = _ntuple(2 * self._dims)(padding)

    def forward(self, input):
        return _core.pad(input, self.padding, "constant", self.value)

    def extra_repr(self):
        return f"padding={self.padding}, value={self.value}"


class _ReflectionPadNd(_Pad):
    _mode = "reflect"


class _ReplicationPadNd(_Pad):
    _mode = "replicate"


class _ZeroPadNd(_ConstantPadNd):
    def __init__(self, padding):
        super().__init__(padding, 0.0)

    def extra_repr(self):
        return f"{self.padding}"


def _make(kind, base, text):
    for n in (1, 2, 3):
        name = f"{kind}Pad{n}d"
        globals()[name] = type(name, (base,), {"__doc__": f"{text}, on both sides of the last {n} dimensions.", "_dims": n, "__module__": __name__})


_make("Circular", _CircularPadNd, "What is at the other end")
_make("Constant", _ConstantPadNd, "A number")
_make("Reflection", _ReflectionPadNd, "What is inside, mirrored")
_make("Replication", _ReplicationPadNd, "What is at the border")
_make("Zero", _ZeroPadNd, "Zeros")

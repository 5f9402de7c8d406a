"""The few names of torch._C that programs reach for."""

from tenon import _core
from tenon._core import Generator as Generator, Size as Size, device as device, dtype as dtype

_TensorBase = TensorBase = _core.Tensor


def __getattr__(name):
    if name == "_LinAlgError":
        from tenon import linalg
        return getattr(linalg, "LinAlgError", RuntimeError)
    raise AttributeError(f"torch._C.{name} is a part of PyTorch's own machinery")

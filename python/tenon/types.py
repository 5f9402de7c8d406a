"""torch.types: names for annotations."""

from os import PathLike
from typing import Any, Sequence, Union

from tenon._core import Size, Tensor, device, dtype, layout

__all__ = ["Device", "FileLike", "Number", "Storage"]

_TensorOrTensors = Union[Tensor, Sequence[Tensor]]
_dtype, _device, _layout = dtype, device, layout
_int, _float, _bool, _complex = int, float, bool, complex
_size = Union[Size, list, tuple]
_symsize, _dispatchkey = _size, Any
Number = Union[int, float, bool]
Device = Union[device, str, int, None]
FileLike = Union[str, PathLike]
Storage = Any
IntLikeType = FloatLikeType = BoolLikeType = Any

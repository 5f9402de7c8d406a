"""Storages with a dtype: thin wrappers of UntypedStorage, which has the bytes.

    >>> import tenon as torch
    >>> x = torch.tensor([[1., 2.], [3., 4.]])
    >>> x[1].storage().tolist()
    [1.0, 2.0, 3.0, 4.0]
"""

import collections.abc

from tenon import _core
from tenon._core import UntypedStorage as UntypedStorage

_NAMES = {
    _core.bfloat16: "BFloat16Storage", _core.bool: "BoolStorage", _core.uint8: "ByteStorage", _core.int8: "CharStorage",
    _core.complex128: "ComplexDoubleStorage", _core.complex64: "ComplexFloatStorage", _core.float64: "DoubleStorage",
    _core.float32: "FloatStorage", _core.float16: "HalfStorage", _core.int32: "IntStorage", _core.int64: "LongStorage",
    _core.int16: "ShortStorage",
}


class TypedStorage:
    """The elements that a tensor and its views look into: TypedStorage(n), TypedStorage(sequence), or
    TypedStorage(wrap_storage=untyped), with dtype=..."""

    is_sparse = False
    is_cuda = False
    filename = None

    def __init__(self, *args, wrap_storage=None, dtype=None, device=None, _internal=False):
        self.dtype = _core.get_default_dtype() if dtype is None else dtype
        if not isinstance(self.dtype, _core.dtype):
            raise RuntimeError(f"dtype must be a dtype, not {dtype!r}")
        if wrap_storage is not None:
            if args or dtype is None:
                raise RuntimeError("a TypedStorage takes a size, a sequence, or wrap_storage and a dtype")
            if not isinstance(wrap_storage, UntypedStorage):
                raise TypeError(f"wrap_storage must be an UntypedStorage, not {type(wrap_storage).__name__}")
            self._untyped_storage = wrap_storage
        elif len(args) > 1:
            raise RuntimeError(f"a TypedStorage takes a size or a sequence, not {len(args)} arguments")
        elif not args or isinstance(args[0], int):
            self._untyped_storage = UntypedStorage((args[0] if args else 0) * self.dtype.itemsize, device=device)
        elif not isinstance(args[0], collections.abc.Sequence) and not hasattr(args[0], "__array_interface__"):
            raise TypeError(f"a TypedStorage takes a size or a sequence, not {type(args[0]).__name__}")
        else:
            self._untyped_storage = _core.tensor(args[0], dtype=self.dtype, device=device).untyped_storage()

    def _vector(self):
        return _core._new_as(self.dtype, self._untyped_storage)

    @property
    def device(self):
        return self._untyped_storage.device

    def untyped(self):
        """The bytes."""
        return self._untyped_storage

    def nbytes(self):
        return self._untyped_storage.nbytes()

    def element_size(self):
        return self.dtype.itemsize

    def size(self):
        """How many elements there are."""
        return self.nbytes() // self.dtype.itemsize

    __len__ = size

    def data_ptr(self):
        return self._untyped_storage.data_ptr()

    def resizable(self):
        return self._untyped_storage.resizable()

    def is_shared(self):
        return False

    def is_pinned(self):
        return False

    def _position(self, index):
        if isinstance(index, (bool, _core.Tensor)) or not hasattr(index, "__index__"):
            kind = TypeError if isinstance(index, bool) else RuntimeError
            raise kind(f"a storage is indexed by integers, not by {type(index).__name__}")
        place = index.__index__()
        if not -self.size() <= place < self.size():
            raise IndexError(f"element {place} of a storage of {self.size()} elements")
        return place

    def __getitem__(self, index):
        if isinstance(index, slice):
            raise RuntimeError("only an UntypedStorage can be sliced")
        return self._vector()[self._position(index)].item()

    def __setitem__(self, index, value):
        index = index.__index__() if isinstance(index, bool) else index  # torch refuses it only where it is read
        self._vector()[index if isinstance(index, slice) else self._position(index)] = value

    def __iter__(self):
        return iter(self.tolist())

    def tolist(self):
        """The elements as Python numbers."""
        return self._vector().tolist()

    def fill_(self, value):
        """Every element becomes value."""
        self._vector().fill_(value)
        return self

    def copy_(self, source, non_blocking=None):
        """The elements become those of another storage, converted."""
        self._vector().copy_(source._vector() if isinstance(source, TypedStorage) else _core._new_as(_core.uint8, source))
        return self

    def resize_(self, size):
        """Makes it longer or shorter, in elements."""
        self._untyped_storage.resize_(size * self.dtype.itemsize)

    def clone(self):
        """A storage with a copy of the elements."""
        return TypedStorage(wrap_storage=self._untyped_storage.clone(), dtype=self.dtype)

    __copy__ = clone

    def cpu(self):
        return self

    def _to(self, dtype):
        if dtype is self.dtype:
            return self
        return TypedStorage(wrap_storage=self._vector().to(dtype).untyped_storage(), dtype=dtype)

    def type(self, dtype=None, non_blocking=False):
        """The name of its class, or the elements in another dtype."""
        return f"torch.{self.pickle_storage_type()}" if dtype is None else self._to(getattr(dtype, "dtype", dtype))

    def double(self):
        return self._to(_core.float64)

    def float(self):
        return self._to(_core.float32)

    def half(self):
        return self._to(_core.float16)

    def bfloat16(self):
        return self._to(_core.bfloat16)

    def long(self):
        return self._to(_core.int64)

    def int(self):
        return self._to(_core.int32)

    def short(self):
        return self._to(_core.int16)

    def char(self):
        return self._to(_core.int8)

    def byte(self):
        return self._to(_core.uint8)

    def bool(self):
        return self._to(_core.bool)

    def complex_double(self):
        return self._to(_core.complex128)

    def complex_float(self):
        return self._to(_core.complex64)

    def pickle_storage_type(self):
        """"FloatStorage" for float32, and so on."""
        if self.dtype not in _NAMES:
            raise KeyError(f"there is no name for a storage of {self.dtype}")
        return _NAMES[self.dtype]

    def __repr__(self):
        elements = "\n ".join(map(str, self.tolist()))
        return f" {elements}\n[torch.storage.TypedStorage(dtype={self.dtype}, device={self.device}) of size {self.size()}]"


class _LegacyStorageMeta(type):
    def __call__(cls, *args, wrap_storage=None, device=None, dtype=None):
        if dtype is not None or device is not None:
            raise RuntimeError(f"{cls.__name__} has a dtype and a device of its own: neither can be given")
        return TypedStorage(*args, wrap_storage=wrap_storage, dtype=cls.dtype)

    def __instancecheck__(cls, instance):
        return isinstance(instance, TypedStorage) and instance.dtype is cls.dtype


def _named(dtype):
    return _LegacyStorageMeta(_NAMES[dtype], (TypedStorage,), {"dtype": dtype, "__module__": "torch"})


BFloat16Storage = _named(_core.bfloat16)
BoolStorage = _named(_core.bool)
ByteStorage = _named(_core.uint8)
CharStorage = _named(_core.int8)
ComplexDoubleStorage = _named(_core.complex128)
ComplexFloatStorage = _named(_core.complex64)
DoubleStorage = _named(_core.float64)
FloatStorage = _named(_core.float32)
HalfStorage = _named(_core.float16)
IntStorage = _named(_core.int32)
LongStorage = _named(_core.int64)
ShortStorage = _named(_core.int16)


def is_storage(obj, /):
    """Whether it is a storage, with a dtype or without."""
    return isinstance(obj, (TypedStorage, UntypedStorage))

"""LongTensor, FloatTensor, ...: torch's first names of tensors of one dtype. They make tensors and recognise them; the tensors
themselves are of the class Tensor."""

from tenon import _core


class tensortype(type):
    """The class of these classes."""

    _is_tensor_type = True
    layout = _core.strided
    is_cuda = is_sparse = False

    def __new__(cls, name, bases, members):
        if bases:
            raise TypeError(f"{bases[0].__name__} cannot have subclasses: Tensor can")
        return super().__new__(cls, name, bases, members)

    def __call__(cls, *args, **kwargs):
        return _core._new_as(cls.dtype, *args, **kwargs)

    def __instancecheck__(cls, instance):
        return isinstance(instance, _core.Tensor) and instance.dtype is cls.dtype


def _named(name, dtype):
    return tensortype(name, (), {"dtype": dtype, "__module__": "torch", "__doc__": None})


BFloat16Tensor = _named("BFloat16Tensor", _core.bfloat16)
BoolTensor = _named("BoolTensor", _core.bool)
ByteTensor = _named("ByteTensor", _core.uint8)
CharTensor = _named("CharTensor", _core.int8)
DoubleTensor = _named("DoubleTensor", _core.float64)
FloatTensor = _named("FloatTensor", _core.float32)
HalfTensor = _named("HalfTensor", _core.float16)
IntTensor = _named("IntTensor", _core.int32)
LongTensor = _named("LongTensor", _core.int64)
ShortTensor = _named("ShortTensor", _core.int16)

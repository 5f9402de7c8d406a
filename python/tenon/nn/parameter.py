"""Tensors that modules find by themselves: Parameter, which is trained, and Buffer, which is not."""

from tenon import _core

__all__ = ["Buffer", "Parameter", "UninitializedBuffer", "UninitializedParameter", "is_lazy"]


class _Marked(type(_core.Tensor)):
    """isinstance(x, Parameter) also holds for tensors of other classes that were made parameters."""

    def __instancecheck__(cls, instance):
        if type.__instancecheck__(cls, instance):
            return True
        if cls._mark is None or not isinstance(instance, _core.Tensor):
            return False
        return bool(getattr(instance, cls._mark, False)) and cls._alone


class Parameter(_core.Tensor, metaclass=_Marked):
    """A tensor that becomes a parameter of the module it is assigned to. It requires a gradient unless told otherwise."""

    _mark, _alone = "_is_param", True

    def __new__(cls, data=None, requires_grad=True):
        if data is None:
            data = _core.empty(0)
        if type(data) in (_core.Tensor, Parameter) or cls is not Parameter:
            return _core._new_leaf(cls, data, requires_grad)
        made = _core._new_leaf(type(data), data, requires_grad)
        if hasattr(data, "__dict__"):
            made.__dict__.update(data.__dict__)
        made._is_param = True
        return made

    def __init__(self, data=None, requires_grad=True):
        pass

    def __deepcopy__(self, memo):
        if id(self) in memo:
            return memo[id(self)]
        made = type(self)(self.data.clone(memory_format=_core.preserve_format), self.requires_grad)
        memo[id(self)] = made
        if self.__dict__:
            import copy
            made.__dict__.update(copy.deepcopy(self.__dict__, memo))
        return made

    def __repr__(self):
        return "Parameter containing:\n" + super().__repr__()

    def __reduce_ex__(self, protocol):
        return _rebuild_parameter, (self.data, self.requires_grad, dict(self.__dict__))


def _rebuild_parameter(data, requires_grad, state):
    made = Parameter(data, requires_grad)
    made.__dict__.update(state)
    return made


class Buffer(_core.Tensor, metaclass=_Marked):
    """A tensor that becomes a buffer of the module it is assigned to. persistent: it is part of the module's state_dict."""

    _mark, _alone = "_is_buffer", True

    def __new__(cls, data=None, *, persistent=True):
        if data is None:
            data = _core.empty(0)
        made = data.detach().requires_grad_(data.requires_grad) if type(data) is not _core.Tensor else data.detach()
        made = _core._new_leaf(Buffer, made, data.requires_grad)
        made.persistent = persistent
        made._is_buffer = True
        return made

    def __init__(self, data=None, *, persistent=True):
        pass


class _Uninitialized:
    """What does not know its sizes yet: only what needs no elements can be asked."""

    def _materialize(self, shape, device, dtype):
        data = _core.empty(shape, dtype=self.dtype if dtype is None else dtype)
        self.data = data
        self.__class__ = self.cls_to_become

    @property
    def shape(self):
        raise RuntimeError("this tensor has no sizes yet: a lazy module gets them when it sees its first input; call it once")

    def __repr__(self):
        return f"<{type(self).__name__}>"

    def share_memory_(self):
        raise RuntimeError("this tensor has no elements yet that could be shared: call the lazy module once")


class UninitializedParameter(_Uninitialized, Parameter):
    """A parameter whose sizes are not known yet."""

    cls_to_become = Parameter
    _mark = None

    def __new__(cls, requires_grad=True, device=None, dtype=None):
        return _core._new_leaf(cls, _core.empty(0, dtype=dtype), requires_grad)

    def __init__(self, requires_grad=True, device=None, dtype=None):
        pass

    def materialize(self, shape, device=None, dtype=None):
        """Makes it a Parameter of these sizes; its elements have no values yet."""
        self._materialize(shape, device, dtype)

    def __deepcopy__(self, memo):
        if id(self) not in memo:
            memo[id(self)] = type(self)(self.requires_grad, None, self.dtype)
        return memo[id(self)]

    def __reduce_ex__(self, protocol):
        return UninitializedParameter, (self.requires_grad, None, self.dtype)


class UninitializedBuffer(_Uninitialized, Buffer):
    """A buffer whose sizes are not known yet."""

    cls_to_become = _core.Tensor
    _mark = None

    def __new__(cls, requires_grad=False, device=None, dtype=None, persistent=True):
        made = _core._new_leaf(cls, _core.empty(0, dtype=dtype), requires_grad)
        made.persistent = persistent
        return made

    def __init__(self, requires_grad=False, device=None, dtype=None, persistent=True):
        pass

    def materialize(self, shape, device=None, dtype=None):
        """Gives it these sizes; its elements have no values yet."""
        self.cls_to_become = Buffer
        self._materialize(shape, device, dtype)

    def __deepcopy__(self, memo):
        if id(self) not in memo:
            memo[id(self)] = type(self)(self.requires_grad, None, self.dtype, self.persistent)
        return memo[id(self)]


def is_lazy(param):
    """Whether a tensor does not know its sizes yet."""
    return isinstance(param, _Uninitialized)

"""Parameters that are computed from others: register_parametrization(module, "weight", f) makes module.weight f(original).

The original moves to module.parametrizations.weight.original, where optimisers find it. A module with parametrizations gets a class
of its own, below the one it had, with a property for each name.
"""

import contextlib
import copy

from tenon import _core
from tenon.nn.modules.container import ModuleDict, ModuleList
from tenon.nn.modules.module import Module, _core_no_grad
from tenon.nn.parameter import Parameter

__all__ = ["ParametrizationList", "cached", "is_parametrized", "register_parametrization", "remove_parametrizations",
           "transfer_parametrizations_and_params", "type_before_parametrizations"]

_cached, _depth = {}, 0


@contextlib.contextmanager
def cached():
    """Inside, what a parametrization gives is computed once."""
    global _depth
    _depth += 1
    try:
        yield
    finally:
        _depth -= 1
        if not _depth:
            _cached.clear()


def _keep(module, name, value):
    """A parameter or buffer of a module, as the value is."""
    if isinstance(value, Parameter):
        module.register_parameter(name, value)
    else:
        module.register_buffer(name, value)


class ParametrizationList(ModuleList):
    """The functions for one parameter, and what they start from: original, or original0, original1, ..."""

    def __init__(self, modules, original, unsafe=False):
        if not modules:
            raise ValueError("a ParametrizationList has one function or more")
        super().__init__(modules)
        self.unsafe = unsafe
        first, new = original, original
        with _core_no_grad():
            for module in reversed(self):
                if not hasattr(module, "right_inverse"):
                    break
                try:
                    new = module.right_inverse(new)
                except NotImplementedError:
                    break
        if not isinstance(new, _core.Tensor) and not isinstance(new, (tuple, list)):
            raise ValueError(f"right_inverse gives a tensor or several, not {type(new).__name__}")
        self.is_tensor = isinstance(new, _core.Tensor)
        self.ntensors = 1 if self.is_tensor else len(new)
        if self.is_tensor:
            if first.dtype != new.dtype:
                raise ValueError(f"right_inverse gives {new.dtype} for {first.dtype}")
            with _core_no_grad():
                first.data = new.data if new is not first else first.data
            _keep(self, "original", first)
        else:
            for i, one in enumerate(new):
                if not isinstance(one, _core.Tensor):
                    raise ValueError("right_inverse gives tensors")
                if isinstance(first, Parameter):
                    one = Parameter(one, requires_grad=first.requires_grad)
                elif not isinstance(one, Parameter):
                    one = one.detach().requires_grad_(first.requires_grad)
                _keep(self, f"original{i}", one)
        if not unsafe:
            made = self()
            if not isinstance(made, _core.Tensor):
                raise ValueError(f"a parametrization gives a tensor, not {type(made).__name__}")
            if made.dtype != first.dtype:
                raise ValueError(f"a parametrization keeps the dtype {first.dtype}, and this one gives {made.dtype}")

    def right_inverse(self, value):
        """Sets the originals so that value comes out."""
        with _core_no_grad():
            for module in reversed(self):
                if not hasattr(module, "right_inverse"):
                    raise RuntimeError(f"{type(module).__name__} has no right_inverse, so the parameter cannot be set")
                value = module.right_inverse(value)
            if self.is_tensor:
                self.original.data = value.data if value.shape != self.original.shape else self.original.data.copy_(value)
            else:
                for i, one in enumerate(value):
                    getattr(self, f"original{i}").data = one.data

    def forward(self):
        if self.is_tensor:
            x = self[0](self.original)
        else:
            x = self[0](*(getattr(self, f"original{i}") for i in range(self.ntensors)))
        for i in range(1, len(self)):
            x = self[i](x)
        return x


def _property(name):
    def read(self):
        if _depth:
            key = (id(self), name)
            if key not in _cached:
                _cached[key] = self.parametrizations[name]()
            return _cached[key]
        return self.parametrizations[name]()

    def write(self, value):
        self.parametrizations[name].right_inverse(value)

    return property(read, write)


def _own_class(module):
    before = type(module)

    def getstate(self):
        raise RuntimeError("a module with parametrizations cannot be pickled: keep its state_dict")

    def deepcopy(self, memo):
        if id(self) in memo:
            return memo[id(self)]
        made = self.__new__(before)
        memo[id(self)] = made
        made.__dict__ = copy.deepcopy(self.__dict__, memo)
        made.__class__ = type(self)
        return made

    module.__class__ = type("Parametrized" + before.__name__, (before,), {"__getstate__": getstate, "__deepcopy__": deepcopy, "_before": before})


def is_parametrized(module, tensor_name=None):
    """Whether a module has parametrizations, or one for a name."""
    held = getattr(module, "parametrizations", None)
    if not isinstance(held, ModuleDict):
        return False
    return len(held) > 0 if tensor_name is None else tensor_name in held


def register_parametrization(module, tensor_name, parametrization, *, unsafe=False):
    """module.tensor_name is parametrization(original) from now on. Several are applied one after the other."""
    parametrization.train(module.training)
    if is_parametrized(module, tensor_name):
        held = module.parametrizations[tensor_name]
        if not unsafe:
            before = getattr(module, tensor_name)
            made = parametrization(before)
            if not isinstance(made, _core.Tensor) or made.dtype != before.dtype or made.shape != before.shape:
                raise ValueError("one more parametrization gives a tensor of the same sizes and dtype")
        if hasattr(parametrization, "right_inverse") and held.is_tensor and not unsafe:
            with _core_no_grad():
                value = getattr(module, tensor_name)
                held.append(parametrization)
                try:
                    held.right_inverse(value)
                except (RuntimeError, NotImplementedError):
                    pass
        else:
            held.append(parametrization)
        return module
    if tensor_name not in module._parameters and tensor_name not in module._buffers:
        raise ValueError(f"{type(module).__name__} has no parameter or buffer {tensor_name!r}")
    original = getattr(module, tensor_name)
    held = ParametrizationList([parametrization], original, unsafe=unsafe)
    delattr(module, tensor_name)
    if not is_parametrized(module):
        _own_class(module)
        module.parametrizations = ModuleDict()
    setattr(type(module), tensor_name, _property(tensor_name))
    module.parametrizations[tensor_name] = held
    return module


def remove_parametrizations(module, tensor_name, leave_parametrized=True):
    """The parameter is an ordinary one again: as it comes out now, or (leave_parametrized=False) its original."""
    if not is_parametrized(module, tensor_name):
        raise ValueError(f"{type(module).__name__} has no parametrization for {tensor_name!r}")
    held = module.parametrizations[tensor_name]
    if held.is_tensor:
        original = held.original
        if leave_parametrized:
            with _core_no_grad():
                value = getattr(module, tensor_name).detach()
                if type(original) is _core.Tensor:
                    original = value
                else:
                    original.data = value
    elif leave_parametrized:
        value = getattr(module, tensor_name).detach()
        original = Parameter(value) if held.original0.requires_grad else value
    else:
        raise ValueError("a parameter made of several originals can only be left as it comes out")
    delattr(type(module), tensor_name)
    del module.parametrizations[tensor_name]
    _keep(module, tensor_name, original)
    if not is_parametrized(module):
        delattr(module, "parametrizations")
        module.__class__ = type(module)._before
    return module


def type_before_parametrizations(module):
    """The class a module had before."""
    return type(module)._before if is_parametrized(module) else type(module)


def transfer_parametrizations_and_params(from_module, to_module, tensor_name=None):
    """Gives the parametrizations of a module to another."""
    names = [tensor_name] if tensor_name is not None else list(from_module.parametrizations)
    for name in names:
        if not hasattr(to_module, name):
            setattr(to_module, name, Parameter(getattr(from_module, name)))
        for function in from_module.parametrizations[name]:
            register_parametrization(to_module, name, function)
        source, target = from_module.parametrizations[name], to_module.parametrizations[name]
        for key in (["original"] if source.is_tensor else [f"original{i}" for i in range(source.ntensors)]):
            setattr(target, key, getattr(source, key))
    return to_module

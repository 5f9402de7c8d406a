"""Gradients of what was computed, with torch.autograd's names."""

from tenon import _core
from tenon._grad import enable_grad, inference_mode, no_grad, set_grad_enabled
from tenon.autograd.anomaly_mode import detect_anomaly, set_detect_anomaly
from tenon.autograd.function import Function

__all__ = [
    "Function", "Variable", "backward", "detect_anomaly", "enable_grad", "grad", "gradcheck", "gradgradcheck", "graph",
    "functional", "inference_mode", "no_grad", "is_multithreading_enabled", "set_detect_anomaly", "set_grad_enabled", "set_multithreading_enabled",
]


class _VariableMeta(type):
    def __instancecheck__(cls, instance):
        return isinstance(instance, _core.Tensor)


class Variable(metaclass=_VariableMeta):
    """The name that tensors had when they were two kinds of things: Variable(data) is data, and every tensor is one."""

    def __new__(cls, data=None, requires_grad=False, volatile=None, **ignored):
        made = _core.empty(0) if data is None else data.detach()
        return made.requires_grad_(requires_grad)


class set_multithreading_enabled:
    """Whether backward may use several threads: remembered, a call or a context. The results are the same."""

    _enabled = True

    def __init__(self, mode):
        self.before, set_multithreading_enabled._enabled = set_multithreading_enabled._enabled, bool(mode)

    def __enter__(self):
        return self

    def __exit__(self, *ignored):
        set_multithreading_enabled._enabled = self.before


def is_multithreading_enabled():
    """What set_multithreading_enabled was told."""
    return set_multithreading_enabled._enabled


def _several(value):
    return (value,) if isinstance(value, _core.Tensor) or value is None else tuple(value)


def _no_inputs(inputs):
    if inputs is not None and len(inputs) == 0:
        raise RuntimeError("backward: inputs is empty, so no gradient would be kept")
    return inputs


def backward(tensors, grad_tensors=None, retain_graph=None, create_graph=False, grad_variables=None, inputs=None):
    """Adds the gradients of the tensors to the leaves that they were computed from."""
    if grad_variables is not None:
        if grad_tensors is not None:
            raise RuntimeError("grad_tensors and grad_variables, its old name, are both given")
        grad_tensors = grad_variables
    inputs = None if inputs is None else _no_inputs(_several(inputs))
    tensors = _several(tensors)
    gradients = None if grad_tensors is None else _several(grad_tensors)
    _core._backward(tensors, gradients, inputs, create_graph if retain_graph is None else bool(retain_graph), bool(create_graph))


def _batched(outputs, inputs, gradients, retain, create, unused):
    """grad for each row of the gradients, and the rows of the results put together."""
    rows = {len(one) for one in gradients if one is not None}
    if len(rows) != 1:
        raise ValueError("grad: with is_grads_batched, all grad_outputs need one first dimension of the same size")
    found = []
    for row in range(count := rows.pop()):
        last = row == count - 1
        given = tuple(None if one is None else one[row] for one in gradients)
        found.append(_core._grad(outputs, given, inputs, retain or not last, create, unused))
    if not found:
        return tuple(_core.zeros((0, *one.shape), dtype=one.dtype, device=one.device) for one in inputs)
    return tuple(None if column[0] is None else _core.stack(list(column)) for column in zip(*found))


def grad(
    outputs, inputs, grad_outputs=None, retain_graph=None, create_graph=False, only_inputs=True, allow_unused=None,
    is_grads_batched=False, materialize_grads=False,
):
    """The gradients of the outputs with respect to the inputs; no tensor's own gradient changes."""
    if not only_inputs:
        raise ValueError("grad: only_inputs=False is no longer possible: use backward to add to the gradients of leaves")
    if materialize_grads and allow_unused is False:
        raise ValueError("grad: materialize_grads gives zeros for unused inputs, so allow_unused cannot be False")
    inputs, outputs = _several(inputs), _several(outputs)
    if not inputs:
        raise RuntimeError("grad: there are no inputs")
    gradients = None if grad_outputs is None else _several(grad_outputs)
    retain, unused = bool(create_graph if retain_graph is None else retain_graph), bool(allow_unused or materialize_grads)
    if is_grads_batched:
        found = _batched(outputs, inputs, gradients or (), retain, bool(create_graph), unused)
    else:
        found = _core._grad(outputs, gradients, inputs, retain, bool(create_graph), unused)
    if not materialize_grads:
        return found
    return tuple(_core.zeros_like(x) if g is None else g for x, g in zip(inputs, found))


def variable(*args, **kwargs):
    raise RuntimeError("autograd.variable(...) is autograd.Variable(...)")


_MODULES = ("function", "functional", "grad_mode", "graph", "anomaly_mode")


def __getattr__(name):
    import importlib
    if name in _MODULES:
        return importlib.import_module(f"tenon.autograd.{name}")
    if name in ("gradcheck", "gradgradcheck", "GradcheckError"):
        return getattr(importlib.import_module("tenon.autograd._check"), name)
    if name == "forward_ad":
        raise AttributeError("module 'tenon.autograd' has no forward_ad: there is no forward mode; autograd.functional.jvp derives backward")
    raise AttributeError(f"module 'tenon.autograd' has no attribute {name!r}")


def __dir__():
    return sorted({*__all__, *_MODULES})

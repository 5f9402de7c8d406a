"""Gradients of what was computed, with torch.autograd's names."""

from tenon import _core
from tenon.autograd.function import Function
from tenon._grad import enable_grad, inference_mode, no_grad, set_grad_enabled

__all__ = ["Function", "backward", "enable_grad", "grad", "graph", "inference_mode", "no_grad", "set_grad_enabled"]

Variable = _core.Tensor


def _several(value):
    return (value,) if isinstance(value, _core.Tensor) or value is None else tuple(value)


def backward(tensors, grad_tensors=None, retain_graph=None, create_graph=False, grad_variables=None, inputs=None):
    """Adds the gradients of the tensors to the leaves that they were computed from."""
    if grad_variables is not None:
        if grad_tensors is not None:
            raise RuntimeError("grad_tensors and grad_variables, its old name, are both given")
        grad_tensors = grad_variables
    if inputs is not None and len(inputs := _several(inputs)) == 0:
        raise RuntimeError("backward: inputs is empty, so no gradient would be kept")
    tensors = _several(tensors)
    gradients = None if grad_tensors is None else _several(grad_tensors)
    _core._backward(tensors, gradients, inputs, create_graph if retain_graph is None else bool(retain_graph), bool(create_graph))


def grad(
    outputs, inputs, grad_outputs=None, retain_graph=None, create_graph=False, only_inputs=True, allow_unused=None,
    is_grads_batched=False, materialize_grads=False,
):
    """The gradients of the outputs with respect to the inputs; no tensor's own gradient changes."""
    if is_grads_batched:
        raise NotImplementedError("grad: is_grads_batched is not supported: call grad once for each row of grad_outputs")
    if not only_inputs:
        raise ValueError("grad: only_inputs=False is no longer possible: use backward to add to the gradients of leaves")
    if materialize_grads and allow_unused is False:
        raise ValueError("grad: materialize_grads gives zeros for unused inputs, so allow_unused cannot be False")
    inputs, outputs = _several(inputs), _several(outputs)
    if not inputs:
        raise ValueError("grad: there are no inputs")
    gradients = None if grad_outputs is None else _several(grad_outputs)
    found = _core._grad(outputs, gradients, inputs, bool(create_graph if retain_graph is None else retain_graph), bool(create_graph),
                        bool(allow_unused or materialize_grads))
    if not materialize_grads:
        return found
    return tuple(_core.zeros_like(x) if g is None else g for x, g in zip(inputs, found))


def __getattr__(name):
    import importlib
    if name in ("function", "functional", "graph"):
        module = importlib.import_module(f"tenon.autograd.{name}")
        return module
    raise AttributeError(f"module 'tenon.autograd' has no attribute {name!r}")

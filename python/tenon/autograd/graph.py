"""The graph that was recorded: its nodes, what they keep, and where gradients go."""

import threading
from collections import namedtuple

from tenon import _core

__all__ = [
    "GradientEdge", "Node", "allow_mutation_on_saved_tensors", "disable_saved_tensors_hooks", "get_gradient_edge", "increment_version",
    "register_multi_grad_hook", "save_on_cpu", "saved_tensors_hooks",
]

Node = _core._Node


class GradientEdge(namedtuple("GradientEdge", ["node", "output_nr", "ownership_token"], defaults=[None])):
    """A node, and which of its results: where the gradient of a tensor goes."""


def get_gradient_edge(tensor):
    """The edge of a tensor; of a leaf, the node that adds to its gradient."""
    if not tensor.requires_grad:
        raise RuntimeError("the tensor requires no gradient, so there is no edge")
    if tensor.grad_fn is not None:
        return GradientEdge(tensor.grad_fn, tensor.output_nr)
    node, number = tensor.view_as(tensor).grad_fn.next_functions[0]
    return GradientEdge(node, number)


def increment_version(tensor):
    """Says that the elements of a tensor, or of several, were changed in a way that was not seen."""
    for one in (tensor,) if isinstance(tensor, _core.Tensor) else tensor:
        _core._increment_version(one)


class _State(threading.local):
    refused, depth = None, 0


_state = _State()


class saved_tensors_hooks:
    """While it is open, what is kept for backward goes through pack, and comes back through unpack."""

    def __init__(self, pack_hook, unpack_hook):
        self.pack_hook, self.unpack_hook = pack_hook, unpack_hook

    def __enter__(self):
        if _state.refused is not None:
            raise RuntimeError(_state.refused)
        _core._push_saved_hooks(self.pack_hook, self.unpack_hook)
        _state.depth += 1

    def __exit__(self, *ignored):
        _state.depth -= 1
        _core._pop_saved_hooks()


class save_on_cpu(saved_tensors_hooks):
    """Keeps what backward needs in the CPU's memory."""

    def __init__(self, pin_memory=False, device_type="cuda"):
        def pack(tensor):
            return tensor.device, tensor.cpu()

        def unpack(packed):
            device, tensor = packed
            return tensor.to(device)

        super().__init__(pack, unpack)


class disable_saved_tensors_hooks:
    """While it is open, saved_tensors_hooks is an error with this message."""

    def __init__(self, error_message):
        self._message = error_message

    def __enter__(self):
        if _state.depth:
            raise RuntimeError(self._message)
        self._before, _state.refused = _state.refused, self._message

    def __exit__(self, *ignored):
        _state.refused = self._before


class allow_mutation_on_saved_tensors(saved_tensors_hooks):
    """While it is open, what is kept is a copy, so that the tensors themselves may be changed before backward."""

    def __init__(self):
        super().__init__(lambda tensor: tensor.clone(), lambda tensor: tensor)


class _Handles:
    """Removes several hooks at once."""

    def __init__(self, handles):
        self.handles = tuple(handles)

    def remove(self):
        for one in self.handles:
            one.remove()

    def __enter__(self):
        return self

    def __exit__(self, *ignored):
        self.remove()


def register_multi_grad_hook(tensors, fn, *, mode="all"):
    """fn(gradients) once the gradients of all the tensors are there, or, with mode "any", fn(gradient) at the first one."""
    if mode not in ("all", "any"):
        raise ValueError(f"mode is 'all' or 'any', not {mode!r}")
    lock, seen = threading.Lock(), {}

    def watch(number):
        def hook(gradient):
            with lock:
                if mode == "any":
                    call, given = not seen, gradient
                    seen[number] = gradient
                else:
                    seen[number] = gradient
                    call, given = len(seen) == len(tensors), [seen.get(i) for i in range(len(tensors))]
                if len(seen) == len(tensors):
                    seen.clear()
            if call:
                fn(given)

        return hook

    return _Handles(one.register_hook(watch(i)) for i, one in enumerate(tensors))

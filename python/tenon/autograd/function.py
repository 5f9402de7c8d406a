"""Function: an operator whose derivative the program writes itself, with torch.autograd.Function's names.

    class Exp(Function):
        @staticmethod
        def forward(ctx, x):
            result = x.exp()
            ctx.save_for_backward(result)
            return result

        @staticmethod
        def backward(ctx, grad):
            result, = ctx.saved_tensors
            return grad * result

forward runs while nothing is recorded; apply then gives its results a node that calls backward (python/src/function.c).
"""

import functools
import inspect

from tenon import _core

__all__ = ["FunctionCtx", "BackwardCFunction", "FunctionMeta", "Function", "InplaceFunction", "once_differentiable"]

_Tensor = _core.Tensor
_OFF, _ON = 0, 1


class FunctionCtx:
    """What forward leaves for backward."""

    _to_save, _dirty, _not_differentiable, materialize_grads = (), (), (), True

    def save_for_backward(self, *tensors):
        """Tensors (or None) that backward needs. A change in place between the two is found."""
        for one in tensors:
            if one is not None and not isinstance(one, _Tensor):
                raise TypeError(f"save_for_backward takes tensors and None, not {type(one).__name__}: set an attribute of ctx instead")
        self._to_save = tensors

    def save_for_forward(self, *tensors):
        """For jvp, which there is not: nothing is kept."""

    def mark_dirty(self, *tensors):
        """Inputs that forward has changed in place. They must be among the results."""
        self._dirty = tensors

    def mark_non_differentiable(self, *tensors):
        """Results that carry no gradient."""
        self._not_differentiable = tensors

    def set_materialize_grads(self, value):
        """Whether backward gets zeros, rather than None, for results that nobody used."""
        self.materialize_grads = bool(value)


class BackwardCFunction(_core._FunctionBase, FunctionCtx):
    """The context of one call; the node of its results has the same attributes."""

    _none_at = None  # where save_for_backward was given None
    _saved_here = None  # what was saved, until it is recorded

    @property
    def saved_tensors(self):
        """What save_for_backward was given."""
        if self._saved_here is not None:
            return self._saved_here
        if self._none_at is None:
            return self._saved()
        rest = iter(self._saved())
        return tuple(None if none else next(rest) for none in self._none_at)

    saved_variables = saved_tensors

    @property
    def next_functions(self):
        return self._node.next_functions

    @property
    def metadata(self):
        return self._node.metadata

    def name(self):
        return type(self).__name__

    def register_hook(self, fn):
        return self._node.register_hook(fn)

    def register_prehook(self, fn):
        return self._node.register_prehook(fn)

    def _run(self, given):
        """backward, with the gradients of the recorded results; returns those of the inputs that are tensors."""
        function = self._forward_cls
        gradients = given if self._places is None else self._all_gradients(given)
        backward = function.backward
        if function.vjp is not Function.vjp:
            if backward is not Function.backward:
                raise RuntimeError(f"{function.__name__} has both a backward and a vjp; they are two names of one thing")
            backward = function.vjp
        results = backward(self, *gradients)
        results = results if isinstance(results, tuple) else (tuple(results) if isinstance(results, list) else (results,))
        wanted = self._is_tensor
        if len(results) > len(wanted) and all(one is None for one in results[len(wanted):]):
            results = results[:len(wanted)]
        if len(results) != len(wanted):
            raise RuntimeError(f"{self.name()} gave {len(results)} gradients, but forward has {len(wanted)} inputs")
        for i, (one, tensor) in enumerate(zip(results, wanted)):
            if one is not None and not tensor:
                raise RuntimeError(f"{self.name()} gave a gradient for input {i}, which is not a tensor: it must be None")
        return results if all(wanted) else tuple(one for one, tensor in zip(results, wanted) if tensor)

    def _all_gradients(self, given):
        """Those of all results: what is not recorded, or is not a tensor, has zeros or None."""
        rest = iter(given)
        return [next(rest) if like is True else like() if like and self.materialize_grads else None for like in self._places]


class FunctionMeta(type):
    """Gives every Function its class of contexts, called after it: ExpBackward."""

    def __init__(cls, name, bases, attributes):
        cls._backward_cls = type(name + "Backward", (BackwardCFunction,), {"_forward_cls": cls})
        cls._backward_cls.__module__ = "tenon.autograd.function"
        super().__init__(name, bases, attributes)


def _among(tensor, tensors):
    return any(tensor is one for one in tensors)


def _zeros_like(tensor):
    sizes, dtype, device = tensor.shape, tensor.dtype, tensor.device
    return lambda: _core.zeros(sizes, dtype=dtype, device=device)


class Function(metaclass=FunctionMeta):
    """A class below it has forward and backward as static methods, and is called by apply."""

    generate_vmap_rule = False

    def __init__(self, *args, **kwargs):
        raise RuntimeError(f"{type(self).__name__} is not made: call {type(self).__name__}.apply(...), with static methods")

    @staticmethod
    def forward(*args, **kwargs):
        """forward(ctx, *args), or forward(*args) beside a setup_context."""
        raise NotImplementedError("a Function needs a static method forward")

    @staticmethod
    def setup_context(ctx, inputs, output):
        """Where forward has no ctx: notes here what backward needs."""
        raise NotImplementedError("setup_context is not defined")

    @staticmethod
    def backward(ctx, *grad_outputs):
        """The gradients of the inputs, from those of the results: one for each argument of forward."""
        raise NotImplementedError("a Function whose result is differentiated needs a static method backward (or vjp)")

    vjp = backward

    @staticmethod
    def jvp(ctx, *grad_inputs):
        """There is no forward mode: autograd.functional.jvp differentiates backward."""
        raise NotImplementedError("there is no forward mode of differentiation, so jvp of a Function is never called")

    @classmethod
    def apply(cls, *args, **kwargs):
        """Calls forward, and records the call where an input requires a gradient."""
        apart = cls.setup_context is not Function.setup_context
        if apart:
            bound = inspect.signature(cls.forward).bind(*args, **kwargs)
            bound.apply_defaults()
            args = bound.args
        elif kwargs:
            raise TypeError(f"{cls.__name__}.apply takes no arguments by name")
        ctx = cls._backward_cls()
        is_tensor = [isinstance(one, _Tensor) for one in args]
        ctx.needs_input_grad = tuple(tensor and one.requires_grad for one, tensor in zip(args, is_tensor))
        mode = _core._grad_mode()
        if mode == _ON:
            _core._set_grad_mode(_OFF)
        try:
            if apart:
                output = cls.forward(*args)
                cls.setup_context(ctx, args, output)
            else:
                output = cls.forward(ctx, *args)
        finally:
            if mode == _ON:
                _core._set_grad_mode(_ON)
        return _finish(cls, ctx, args, is_tensor, output, mode == _ON and any(ctx.needs_input_grad))


def _finish(cls, ctx, args, is_tensor, output, recorded):
    """The results of forward as results of the call."""
    results = list(output) if isinstance(output, tuple) else [output]
    for one in ctx._dirty:
        if not _among(one, results):
            raise RuntimeError(f"{cls.__name__}: an input that was marked dirty is not among the results")
    places, outputs = [], []
    for i, one in enumerate(results):
        if not isinstance(one, _Tensor):
            places.append(None)
            continue
        is_input = _among(one, args)
        carries = recorded and not _among(one, ctx._not_differentiable) and (one.is_floating_point() or one.is_complex())
        if not carries:
            places.append(_zeros_like(one) if recorded else None)
            if one.requires_grad and not _among(one, ctx._dirty):
                results[i] = one.detach()
            continue
        if not _among(one, ctx._dirty) and (is_input or one.requires_grad or _among(one, outputs)):
            one = results[i] = one.detach()
        places.append(True)
        outputs.append(one)
    saved, ctx._to_save = ctx._to_save, ()
    if recorded and outputs:
        ctx._is_tensor, ctx._places = is_tensor, None if len(outputs) == len(results) else places
        if _among(None, saved):
            ctx._none_at = [one is None for one in saved]
            saved = tuple(one for one in saved if one is not None)
        inputs = args if all(is_tensor) else tuple(one for one, tensor in zip(args, is_tensor) if tensor)
        ctx._record(type(ctx).__name__, inputs, tuple(outputs), saved, not ctx.materialize_grads)
    else:
        ctx._saved_here = saved
    return tuple(results) if isinstance(output, tuple) else results[0]


class InplaceFunction(Function):
    """torch's old name for a Function that may change its input."""

    def __init__(self, inplace=False):
        super().__init__()


class _NotTwice(Function):
    """Results of a derivative that has none itself."""

    @staticmethod
    def forward(ctx, text, *tensors):
        ctx.text = text
        return tuple(one.detach() for one in tensors)

    @staticmethod
    def backward(ctx, *grads):
        raise RuntimeError(ctx.text)


def once_differentiable(fn):
    """For a backward that cannot be differentiated again: what it calls is not recorded, and a second derivative is an error."""

    @functools.wraps(fn)
    def backward(ctx, *args):
        mode = _core._grad_mode()
        _core._set_grad_mode(_OFF if mode == _ON else mode)
        try:
            results = fn(ctx, *args)
        finally:
            _core._set_grad_mode(mode)
        if mode != _ON or not any(isinstance(one, _Tensor) and one.requires_grad for one in args):
            return results
        several = results if isinstance(results, tuple) else (results,)
        at = [i for i, one in enumerate(several) if isinstance(one, _Tensor)]
        # Something that requires a gradient leads to the error: the inputs' own histories do not matter any more.
        tensors = [several[i].detach().requires_grad_() for i in at]
        text = f"{ctx.name()} was marked with once_differentiable: it cannot be differentiated a second time"
        several = list(several)
        for i, one in zip(at, _NotTwice.apply(text, *tensors) if at else ()):
            several[i] = one
        return tuple(several)

    return backward

"""Calls that keep nothing of their inside for backward, and are made again there: torch.utils.checkpoint.

use_reentrant=True runs backward inside backward, over what the second call recorded. use_reentrant=False records the first call as usual,
but keeps, in the place of each tensor that a derivative needs, a note; the first note that is asked for has the call made again, and
the tensors that it keeps answer all of them.
"""

import contextlib
import warnings
import weakref

from tenon import _core
from tenon._grad import enable_grad, no_grad
from tenon.autograd.function import Function

__all__ = [
    "CheckpointError", "CheckpointFunction", "checkpoint", "checkpoint_sequential", "detach_variable", "noop_context_fn",
    "set_checkpoint_early_stop",
]

_Tensor = _core.Tensor


class CheckpointError(RuntimeError):
    """The second call was not like the first."""


def noop_context_fn():
    """Contexts for both calls that do nothing."""
    return contextlib.nullcontext(), contextlib.nullcontext()


_stops_early = [True]


@contextlib.contextmanager
def set_checkpoint_early_stop(enable):
    """Whether a second call ends as soon as it has made all that is needed."""
    before, _stops_early[0] = _stops_early[0], bool(enable)
    try:
        yield
    finally:
        _stops_early[0] = before


@contextlib.contextmanager
def _random_state(state):
    """The default generator as it was at the first call; as it is now afterwards."""
    if state is None:
        yield
        return
    before = _core.get_rng_state()
    _core.set_rng_state(state)
    try:
        yield
    finally:
        _core.set_rng_state(before)


def detach_variable(inputs):
    """The tensors of a tuple as leaves that require what they required."""
    if not isinstance(inputs, tuple):
        raise RuntimeError(f"only a tuple of tensors is expected, not {type(inputs).__name__}")
    return tuple(one.detach().requires_grad_(one.requires_grad) if isinstance(one, _Tensor) else one for one in inputs)


# ---- backward inside backward


class CheckpointFunction(Function):
    @staticmethod
    def forward(ctx, run_function, preserve_rng_state, *args):
        ctx.run_function, ctx.args = run_function, [None if isinstance(one, _Tensor) else one for one in args]
        ctx.state = _core.get_rng_state() if preserve_rng_state else None
        ctx.at = [i for i, one in enumerate(args) if isinstance(one, _Tensor)]
        ctx.save_for_backward(*(args[i] for i in ctx.at))
        with no_grad():
            return run_function(*args)

    @staticmethod
    def backward(ctx, *gradients):
        if not _core._backward_is_whole():
            raise RuntimeError(
                "checkpoint: with use_reentrant=True, gradients cannot be asked for with autograd.grad or backward(inputs=): "
                "use_reentrant=False can")
        args = list(ctx.args)
        for i, one in zip(ctx.at, ctx.saved_tensors):
            args[i] = one
        args = detach_variable(tuple(args))
        with _random_state(ctx.state), enable_grad():
            outputs = ctx.run_function(*args)
        outputs = outputs if isinstance(outputs, tuple) else (outputs,)
        wanted = [(one, g) for one, g in zip(outputs, gradients) if isinstance(one, _Tensor) and one.requires_grad]
        if not wanted:
            raise RuntimeError("checkpoint: none of the results requires a gradient, so this checkpoint is not needed")
        from tenon.autograd import backward
        backward([one for one, _ in wanted], [g for _, g in wanted])
        return (None, None, *(one.grad if isinstance(one, _Tensor) else None for one in args))


# ---- notes in the place of tensors


class _Stop(BaseException):
    """All that is needed was made."""


class _Note:
    __slots__ = ("number", "__weakref__")


class _Frame:
    """One checkpointed call."""

    def __init__(self, again, early_stop, determinism):
        self.again, self.early_stop, self.determinism = again, early_stop, determinism
        self.notes, self.shapes, self.made, self.asked = [], [], None, 0

    def pack(self, tensor):
        note = _Note()
        note.number = len(self.notes)
        self.notes.append(weakref.ref(note))
        self.shapes.append((tensor.shape, tensor.dtype, tensor.device))
        return note

    def remake(self):
        made, count = {}, 0
        last = max((i for i, note in enumerate(self.notes) if note() is not None), default=-1)

        def pack(tensor):
            nonlocal count
            number, count = count, count + 1
            if number >= len(self.notes):
                if self.early_stop:
                    raise _Stop
                return tensor.detach()
            if self.determinism and (tensor.shape, tensor.dtype, tensor.device) != self.shapes[number]:
                raise CheckpointError(
                    f"checkpoint: the second call keeps another tensor at place {number}: {tensor.dtype} of sizes {tuple(tensor.shape)}, and "
                    f"the first {self.shapes[number][1]} of {tuple(self.shapes[number][0])}")
            made[number] = tensor.detach()
            if self.early_stop and number == last:
                raise _Stop
            return tensor.detach()

        from tenon.autograd.graph import saved_tensors_hooks
        try:
            with saved_tensors_hooks(pack, lambda one: one), enable_grad():
                self.again()
        except _Stop:
            return made
        if count != len(self.notes) and self.determinism:
            raise CheckpointError(f"checkpoint: the second call keeps {count} tensors for backward, and the first {len(self.notes)}")
        return made

    def unpack(self, note):
        if self.made is None or note.number not in self.made:
            self.made = self.remake()
        if note.number not in self.made:
            raise CheckpointError("checkpoint: the second call has not made what the first kept")
        return self.made.pop(note.number)


def _without_reentrance(function, args, kwargs, preserve, context_fn, determinism, early_stop):
    from tenon.autograd.graph import saved_tensors_hooks
    first, second = context_fn()
    state = _core.get_rng_state() if preserve else None

    def again():
        with _random_state(state), second:
            function(*args, **kwargs)

    frame = _Frame(again, early_stop, determinism)
    with saved_tensors_hooks(frame.pack, frame.unpack), first:
        return function(*args, **kwargs)


def checkpoint(
    function, *args, use_reentrant=None, context_fn=noop_context_fn, determinism_check="default", debug=False, early_stop=True, **kwargs
):
    """function(*args, **kwargs), of whose inside nothing is kept: backward makes the call again."""
    if use_reentrant is None:
        warnings.warn("checkpoint: use_reentrant should be given; True is assumed, and False is recommended", stacklevel=2)
        use_reentrant = True
    preserve = kwargs.pop("preserve_rng_state", True)
    if determinism_check not in ("default", "none"):
        raise ValueError(f"checkpoint: determinism_check is 'default' or 'none', not {determinism_check!r}")
    if not use_reentrant:
        if not _core._grad_mode() == 1:
            return function(*args, **kwargs)
        return _without_reentrance(
            function, args, kwargs, preserve, context_fn, determinism_check == "default", early_stop and _stops_early[0])
    if kwargs:
        raise ValueError(f"checkpoint: with use_reentrant=True there are no arguments by name: {', '.join(kwargs)}")
    if context_fn is not noop_context_fn or debug:
        raise ValueError("checkpoint: context_fn and debug need use_reentrant=False")
    if not any(isinstance(one, _Tensor) and one.requires_grad for one in args) and _core._grad_mode() == 1:
        warnings.warn("checkpoint: none of the inputs requires a gradient, so none will reach what is inside", stacklevel=2)
    return CheckpointFunction.apply(function, preserve, *args)


def checkpoint_sequential(functions, segments, input, use_reentrant=None, **kwargs):
    """Calls functions one after the other, in so many segments of which nothing inside is kept; the last one is an ordinary call."""
    if use_reentrant is None:
        warnings.warn("checkpoint_sequential: use_reentrant should be given; True is assumed, and False is recommended", stacklevel=2)
        use_reentrant = True
    preserve = kwargs.pop("preserve_rng_state", True)
    if kwargs:
        raise ValueError(f"checkpoint_sequential: what is {', '.join(kwargs)}?")
    functions = list(functions.children()) if hasattr(functions, "children") else list(functions)

    def run(start, end):
        def call(value):
            for one in functions[start:end]:
                value = one(value)
            return value

        return call

    size, start = len(functions) // segments, 0
    for _ in range(segments - 1):
        input = checkpoint(run(start, start + size), input, use_reentrant=use_reentrant, preserve_rng_state=preserve)
        start += size
    return run(start, len(functions))(input)

"""no_grad and its relatives: what a thread records."""

import functools
import inspect

from tenon import _core

_OFF, _ON, _INFERENCE = range(3)


class _Mode:
    """A mode of recording, as a context, a decorator of functions and of generator functions."""

    def __enter__(self):
        self._before.append(_core._set_grad_mode(self._mode))

    def __exit__(self, *ignored):
        _core._set_grad_mode(self._before.pop())

    def __call__(self, function):
        again = self.clone
        if inspect.isclass(function):
            function.__init__ = self(function.__init__)
            return function
        if inspect.isgeneratorfunction(function):

            @functools.wraps(function)
            def generate(*args, **kwargs):
                made, send, sent = function(*args, **kwargs), False, None
                try:
                    while True:
                        with again():
                            value = made.send(sent) if send else next(made)
                        try:
                            sent, send = (yield value), True
                        except GeneratorExit:
                            with again():
                                made.close()
                            raise
                        except BaseException as error:
                            with again():
                                value = made.throw(error)
                            sent, send = (yield value), True
                except StopIteration as end:
                    return end.value

            return generate

        @functools.wraps(function)
        def call(*args, **kwargs):
            with again():
                return function(*args, **kwargs)

        return call

    def clone(self):
        return type(self)()

    def _begin(self, mode):
        self._mode, self._before = mode, []


class _PlainMode(_Mode):
    """with no_grad(): ..., @no_grad(), or @no_grad without parentheses."""

    def __new__(cls, function=None):
        made = super().__new__(cls)
        if function is None:
            return made
        made._begin(cls._wanted)
        return made(function)

    def __init__(self):
        self._begin(self._wanted)


class no_grad(_PlainMode):
    """What is computed inside is not recorded, and requires no gradient."""

    _wanted = _OFF


class enable_grad(_PlainMode):
    """What is computed inside is recorded, also inside no_grad."""

    _wanted = _ON


class set_grad_enabled(_Mode):
    """Records from now on, or not; as a context, until its end."""

    def __init__(self, mode):
        self._begin(_ON if mode else _OFF)
        self._given = _core._set_grad_mode(self._mode)

    def __enter__(self):
        self._before.append(self._given)

    def __call__(self, function):
        _core._set_grad_mode(self._given)  # a decorator changes nothing by itself
        return super().__call__(function)

    def clone(self):
        return type(self)(self._mode == _ON)


class inference_mode(_Mode):
    """no_grad for tensors of which no gradient will ever be wanted; inference_mode(False) records."""

    def __new__(cls, mode=True):
        made = super().__new__(cls)
        if not callable(mode):
            return made
        made._begin(_INFERENCE)
        return made(mode)

    def __init__(self, mode=True):
        self._begin(_INFERENCE if mode else _ON)

    def clone(self):
        return type(self)(self._mode == _INFERENCE)


def is_grad_enabled():
    """Whether this thread records."""
    return _core._grad_mode() == _ON


def is_inference(tensor):
    """Whether it was made in an inference_mode."""
    return tensor.is_inference()


def is_inference_mode_enabled():
    """Whether this thread is in an inference_mode."""
    return _core._grad_mode() == _INFERENCE

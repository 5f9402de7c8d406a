"""Programs that compute without gradients say so; there are no gradients yet, so they are right."""

from contextlib import ContextDecorator as _ContextDecorator


class no_grad(_ContextDecorator):
    """with no_grad(): ..., or @no_grad(): what is computed inside records no gradients."""

    def __new__(cls, function=None):
        return super().__new__(cls) if function is None else super().__new__(cls)(function)

    def __enter__(self):
        return None

    def __exit__(self, *ignored):
        return None


class inference_mode(no_grad):
    """As no_grad."""

    def __new__(cls, mode=True):
        return super().__new__(cls, mode if callable(mode) else None)

    def __init__(self, mode=True):
        pass


def is_grad_enabled():
    """False: gradients are not here yet."""
    return False


class set_grad_enabled(no_grad):
    """set_grad_enabled(False) changes nothing, as a call and in a with statement; True is refused."""

    def __new__(cls, mode):
        if mode:
            raise NotImplementedError("gradients are not here yet: they cannot be enabled")
        return super().__new__(cls)

    def __init__(self, mode):
        pass

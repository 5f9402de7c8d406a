"""torch.compile: there is no compiler here; what is given comes back."""

import warnings

_told = False


def compile(model=None, *, fullgraph=False, dynamic=None, backend="inductor", mode=None, options=None, disable=False, **ignored):
    """The function or module it is given. Says once that nothing is compiled."""
    global _told
    if model is None:
        return lambda function: compile(function)
    if not _told:
        _told = True
        warnings.warn("compile: there is no compiler here, so the program runs as it is", stacklevel=3)
    return model


def disable(fn=None, recursive=True, **ignored):
    """The function it is given."""
    return (lambda function: function) if fn is None else fn


def is_compiling():
    """False."""
    return False


is_dynamo_compiling = is_compiling


def reset():
    """Nothing."""


def cudagraph_mark_step_begin():
    """Nothing."""


class _Config:
    """Settings of a compiler that is not there: they can be set, and have no effect."""


config = _Config()
suppress_errors = False

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


is_dynamo_compiling = is_exporting = is_compiling


def allow_in_graph(fn):
    """The function it is given."""
    return fn


assume_constant_result = allow_in_graph
forbid_in_graph = disallow_in_graph = nonstrict_trace = allow_in_graph


def mark_dynamic(t, index=None, **ignored):
    """Nothing: sizes may change from call to call."""


maybe_mark_dynamic = mark_static = mark_static_address = mark_unbacked = mark_dynamic


def graph_break(msg=""):
    """Nothing."""


def optimize(backend="inductor", **ignored):
    """A decorator that gives back what it is given, and says once that nothing is compiled."""
    return compile()


def list_backends(exclude_tags=()):
    """[]: there is no compiler."""
    return []


class set_stance:
    """A context, a decorator or a call that changes nothing: nothing is compiled."""

    def __init__(self, stance="default", **ignored):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *ignored):
        return False

    def __call__(self, function):
        return function


def reset():
    """Nothing."""


def cudagraph_mark_step_begin():
    """Nothing."""


class _Config:
    """Settings of a compiler that is not there: they can be set, and have no effect."""


config = _Config()
suppress_errors = False

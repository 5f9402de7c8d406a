"""Tenon: PyTorch's tensor core as one small C library.

    >>> import tenon
    >>> tenon.arange(6).reshape(2, 3).T
    tensor([[0, 3],
            [1, 4],
            [2, 5]])

Names, arguments and printed text are PyTorch's, so that a program which uses only what is here runs unchanged after
``import tenon as torch``. Everything comes from the operator table of the C library: see ``help(tenon.add)``.
"""

try:
    from tenon import _core
except ModuleNotFoundError as error:
    import sys as _sys
    if not getattr(_sys, "_is_gil_enabled", lambda: True)():
        raise ImportError("tenon is built for the stable ABI, which free-threaded builds of Python do not have") from error
    raise

globals().update({name: value for name, value in vars(_core).items() if not name.startswith("__")})
__version__ = _core.__version__


def __getattr__(name):
    """What few programs need is loaded when it is asked for."""
    import tenon._lazy as _lazy
    return _lazy.find(name)


def __dir__():
    import tenon._lazy as _lazy
    return sorted({name for name in globals() if not name.startswith("_")} | set(_lazy.names()))
